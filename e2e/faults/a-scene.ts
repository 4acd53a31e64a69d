/**
 * The setup of the fault tests: a built server, a sensor with its token, and a relay that records what it receives.
 * In: how to start the server. Out: the setup, which ends with the test. Reports are numbered in the order of sending.
 */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { type Answer, aReportText, aSensor, type Sensor, type SubmitOptions } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, seedWith } from '../parts/seed.ts'
import {
  aServerLocation,
  type LaunchOptions,
  launchServer,
  type ServerLocation,
  type ServerProcess,
} from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { createRandom } from '../soak/random.ts'
import { aRecorder, type Recorder } from '../soak/recorder.ts'

export interface Scene {
  location: ServerLocation
  sensor: Sensor
  recorder: Recorder
  /** The last started process. */
  server(): ServerProcess
  /** Starts it again after its end, with the same folder and port. */
  startAgain(options?: LaunchOptions): Promise<void>
  /** Sends the next report and adds its number to `accepted` or `refused`. */
  submit(options?: SubmitOptions & { positions?: number }): Promise<Answer>
  accepted: number[]
  refused: number[]
  /** Resolves when the relay has every accepted report; rejects if the relay found a violation. */
  untilAllArrived(): Promise<void>
}

export interface SceneOptions extends LaunchOptions {
  /** Called before the first start. */
  prepare?: (location: ServerLocation) => Promise<void>
  /** Options that depend on the folder. */
  environmentIn?: (folder: string) => Record<string, string>
  /** Receives the function that ends the setup. Default: it ends with the test. */
  atEnd?: (step: () => unknown) => void
  /** Whether to set a relay. Default true; false with plain HTTP, or if no report must arrive. */
  withRelay?: boolean
  /** Share of the messages that the relay answers late. Default 0. */
  troubled?: number
}

export async function aScene(how: SceneOptions = {}): Promise<Scene> {
  const { prepare, environmentIn, atEnd = onTestFinished, withRelay = true, troubled = 0, ...given } = how
  const location = await aServerLocation(seedWith(2))
  atEnd(() => location.remove())
  await prepare?.(location)
  const options = { ...given, environment: { ...given.environment, ...environmentIn?.(location.folder) } }
  const own = ['--seed', join(location.folder, 'seed.json'), '--allow-private-relays']
  let server = await start(options)
  const { certificate, ready } = server
  trust(certificate.ca)
  // A relay needs a certificate that the server trusts; with plain HTTP there is none.
  const recorder = await aRecorder({ certificate, random: createRandom(1), troubled })
  atEnd(() => recorder.stop())
  const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca, connections: 50 })
  atEnd(() => sensor.close())
  if (withRelay) {
    const { relayDetails } = await (await aUser(server)).updateRelay(deviceUrn, { url: recorder.url, state: 'Active' })
    if (relayDetails?.state !== 'Active')
      throw new Error(`The relay is not active: ${relayDetails?.failureDescription}`)
  }
  const accepted: number[] = []
  const refused: number[] = []
  let last = 0

  async function start(launch: LaunchOptions): Promise<ServerProcess> {
    const launched = launchServer(location, { ...launch, flags: [...own, ...(launch.flags ?? [])] })
    atEnd(() => launched.kill())
    return launched.ready
  }

  return {
    location,
    sensor,
    recorder,
    accepted,
    refused,
    server: () => server,
    async startAgain(again = options) {
      server = await start(again)
    },
    async submit({ positions = 1, ...how } = {}) {
      const own = ++last
      const answer = await sensor.submit(aReportText(`roof1:${own}`, positions), how)
      if (answer.status === 202) accepted.push(own)
      else refused.push(own)
      return answer
    },
    async untilAllArrived() {
      const hasCome = (own: number) => recorder.received('roof1').has(own)
      await until('every accepted report has arrived', () => accepted.every(hasCome))
      if (recorder.violations.length > 0) throw new Error(recorder.violations.join('\n'))
    },
  }
}
