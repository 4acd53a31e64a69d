/**
 * Kills processes under load, and compares what was answered 202 with what a relay received.
 * In: the number of kills and the kind of deployment. Out: the counts, and one line for each violation of I1, I2, I3 and I6 of the
 * service: no accepted report is lost, a repetition has the same id, first deliveries are in the order of acceptance, and a report
 * that cannot be accepted now is answered 503.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { aReportText, aSensor, type Sensor } from '../a-sensor.ts'
import { aUser } from '../a-user.ts'
import { deviceUrnOf, someLocalIds } from '../seed.ts'
import { trust } from '../trust.ts'
import { until } from '../until.ts'
import { aDeployment, type Deployment } from './deployment.ts'
import { createRandom, type Random } from './random.ts'
import { aRecorder, type Recorder } from './recorder.ts'

export interface KillsOptions {
  kills: number
  seed: number
  /** Two processes on one Redis; every tenth kill is of Redis. Default: one process on SQLite. */
  redis?: boolean
  /** Default 12. */
  sensors?: number
  /** Called after each kill. */
  onKill?: (kills: number, accepted: number, delivered: number) => void
}

export interface KillsResult {
  kills: number
  accepted: number
  /** Reports that were sent and got no answer. */
  unanswered: number
  refused: number
  delivered: number
  repeated: number
  violations: string[]
}

/** If no report arrives for this time, the missing reports are lost. */
const silenceMs = 75_000

export async function soakKills({
  kills,
  seed,
  redis = false,
  sensors: count = 12,
  onKill,
}: KillsOptions): Promise<KillsResult> {
  const random = createRandom(seed)
  const deployment = await aDeployment({ sensors: count, redis })
  const { certificate } = deployment.first
  trust(certificate.ca)
  const recorder = await aRecorder({ certificate, random: createRandom(seed + 1), troubled: 0.05 })
  try {
    const sensors = await Promise.all(
      someLocalIds(count).map((localId) =>
        aSensor({ origin: deployment.origins[0] ?? '', ca: certificate.ca, localId }),
      ),
    )
    const user = await aUser(deployment.first)
    for (const { localId } of sensors)
      await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })

    const stopping = new AbortController()
    const loads = sensors.map((sensor, n) =>
      aLoad({ sensor, recorder, origins: deployment.origins, random: createRandom(seed + 2 + n) }),
    )
    const running = loads.map((load) => load.run(stopping.signal))
    for (let killed = 1; killed <= kills; killed++) {
      await killAtAnyMoment(deployment, random, () => total(loads))
      onKill?.(killed, total(loads), recorder.counts.first)
    }
    await sleep(500)
    stopping.abort()
    await Promise.all(running)
    for (const sensor of sensors) sensor.close()

    const lost = await missing(loads, recorder)
    const codes = await deployment.stop()
    return {
      kills,
      accepted: total(loads),
      unanswered: loads.reduce((sum, { unanswered }) => sum + unanswered(), 0),
      refused: loads.reduce((sum, { refused }) => sum + refused(), 0),
      delivered: recorder.counts.first,
      repeated: recorder.counts.repeated,
      violations: [
        ...lost.slice(0, 100).map((id) => `${id} was answered 202 and did not arrive`),
        ...loads.flatMap(({ unexpected }) => unexpected.slice(0, 20)),
        ...recorder.violations,
        ...codes.filter((code) => code !== 0).map((code) => `a process exited with ${code} after SIGTERM`),
      ],
    }
  } finally {
    recorder.stop()
    await deployment.remove()
  }
}

/** Kills one process, usually while it works, sometimes while it starts. */
async function killAtAnyMoment(deployment: Deployment, random: Random, accepted: () => number): Promise<void> {
  const { redis, origins } = deployment
  if (redis && random.chance(0.1)) {
    await sleep(random.whole(0, 300))
    await redis.kill()
    await sleep(random.whole(0, 300))
    return redis.restart()
  }
  const index = random.whole(0, origins.length - 1)
  await deployment.restart(index)
  if (random.chance(0.15)) return sleep(random.whole(0, 500))
  await deployment.ready(index)
  // However slow the machine is, it works when it is killed.
  const before = accepted()
  await until('reports are accepted again', () => accepted() > before)
  // Sometimes it runs long enough to deliver its backlog.
  return sleep(random.whole(0, random.chance(0.1) ? 3_000 : 400))
}

interface Load {
  queue: string
  accepted: Set<number>
  /** Unexpected answers. */
  unexpected: string[]
  unanswered(): number
  refused(): number
  run(stopping: AbortSignal): Promise<void>
}

/** Limit of accepted and undelivered reports of a sensor, far below the server's limit for one relay. */
const maxInFlight = 1_000

/** Sends one report after the other, so that the order of acceptance is known. */
interface LoadOptions {
  sensor: Sensor
  recorder: Recorder
  origins: string[]
  random: Random
}

function aLoad({ sensor, recorder, origins, random }: LoadOptions): Load {
  const queue = sensor.localId
  const accepted = new Set<number>()
  const unexpected: string[] = []
  let unanswered = 0
  let refused = 0

  async function run(stopping: AbortSignal): Promise<void> {
    for (let number = 1; !stopping.aborted; number++) {
      while (accepted.size - recorder.received(queue).size > maxInFlight && !stopping.aborted) await sleep(20)
      // Some have 2 KiB or more: Redis stores these bodies in separate keys.
      const body = aReportText(`${queue}:${number}`, random.whole(1, 12))
      while (!stopping.aborted && (await attempt(number, body)) === 'again') await sleep(random.whole(1, 20))
    }
  }

  async function attempt(number: number, body: string): Promise<'done' | 'again'> {
    const origin = origins[random.whole(0, origins.length - 1)] ?? ''
    try {
      const { status, headers, body: text } = await sensor.submit(body, { origin })
      if (status === 202) {
        accepted.add(number)
        return 'done'
      }
      if (status !== 503 || headers['retry-after'] === undefined)
        unexpected.push(`${queue}:${number} was answered ${status}: ${text}`)
      refused++
      return 'again'
    } catch (error) {
      if (wasNotSent(error)) return 'again'
      unanswered++
      // It may have been accepted. Some senders continue with the next report, most send it again.
      return random.chance(0.2) ? 'done' : 'again'
    }
  }

  return { queue, accepted, unexpected, unanswered: () => unanswered, refused: () => refused, run }
}

function wasNotSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}

function total(loads: Load[]): number {
  return loads.reduce((sum, { accepted }) => sum + accepted.size, 0)
}

/** Waits until every accepted report has arrived, or until no more reports arrive. */
async function missing(loads: Load[], recorder: Recorder): Promise<string[]> {
  let arrived = -1
  let sinceMs = performance.now()
  for (;;) {
    const lost = loads.flatMap(({ queue, accepted }) =>
      [...accepted].filter((number) => !recorder.received(queue).has(number)).map((number) => `${queue}:${number}`),
    )
    if (lost.length === 0) return lost
    if (recorder.counts.first !== arrived) {
      arrived = recorder.counts.first
      sinceMs = performance.now()
    }
    if (performance.now() - sinceMs > silenceMs) return lost
    await sleep(100)
  }
}
