/**
 * The good account of the soak with a hostile account: one sensor with a relay that answers at once.
 * In: a server. Out: ten reports, ten reads of its device and one token request a second; the answers and their times,
 * and how long each report took from its answer to the relay.
 */
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RelayMessage } from '@posrep/spec'
import { hangsAfterMs } from '../../../testing/real-time.ts'
import { aReportText, aSensor } from '../../parts/a-sensor.ts'
import { aUser } from '../../parts/a-user.ts'
import { deviceUrn } from '../../parts/seed.ts'
import type { ServerProcess } from '../../parts/server-process.ts'
import { answerSlowly } from './hostile-relay.ts'

export interface GoodAccount {
  /** Its host; `/slow` at this host answers after 9 s. */
  relayOrigin: string
  /** Reports until the signal aborts. */
  run(stopping: AbortSignal): Promise<void>
  /** Forgets all figures so far. */
  forget(): void
  /** Waits for the last deliveries. */
  figures(): Promise<GoodFigures>
  close(): void
}

export interface GoodFigures {
  reports: number
  /** The number of answers to reports and token requests, per status. */
  statuses: Record<string, number>
  p99Ms: number
  /** Of reads of its device. */
  readP99Ms: number
  longestLagMs: number
  undelivered: number
}

const everyMs = 100
const deadlineMs = hangsAfterMs
const lastDeliveryMs = hangsAfterMs

export async function aGoodAccount({ ready, certificate }: ServerProcess): Promise<GoodAccount> {
  const answeredAtMs = new Map<string, number>()
  const arrivedAtMs = new Map<string, number>()
  let tookMs: number[] = []
  let readMs: number[] = []
  let statuses: Record<string, number> = {}
  let number = 0

  const server = https.createServer(certificate, (request, response) => {
    if (request.url === '/slow') return answerSlowly(request, response)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const message: RelayMessage = JSON.parse(Buffer.concat(chunks).toString())
      if (message.name === 'validate') return response.end(message.validationCode)
      const id = message.positionReport.positions[0]?.id ?? ''
      if (!arrivedAtMs.has(id)) arrivedAtMs.set(id, performance.now())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  const relayOrigin = `https://localhost:${(server.address() as AddressInfo).port}`
  const at = { origin: ready.origin, ca: certificate.ca }
  const sensor = await aSensor(at)
  const user = await aUser({ ready })
  await user.updateRelay(deviceUrn, { url: `${relayOrigin}/positions`, state: 'Active' })

  function count(kind: string): void {
    statuses[kind] = (statuses[kind] ?? 0) + 1
  }

  async function report(): Promise<void> {
    const id = `good:${number++}`
    const startedAtMs = performance.now()
    const status = await sensor.submit(aReportText(id), { deadlineMs }).then(
      ({ status }) => status,
      () => 'unanswered',
    )
    tookMs.push(performance.now() - startedAtMs)
    count(`report ${status}`)
    if (status === 202) answeredAtMs.set(id, performance.now())
  }

  async function read(): Promise<void> {
    const startedAtMs = performance.now()
    await user.getDevice(deviceUrn).then(
      () => count('read 200'),
      (error) => count(`read refused: ${error}`),
    )
    readMs.push(performance.now() - startedAtMs)
  }

  async function askForToken(): Promise<void> {
    const asked = aSensor(at).then((one) => one.close())
    await asked.then(
      () => count('token 200'),
      (error) => count(`token refused: ${error}`),
    )
  }

  return {
    relayOrigin,
    async run(stopping) {
      for (let turn = 0; !stopping.aborted; turn++) {
        await Promise.all([report(), read(), turn % 10 === 0 && askForToken(), sleep(everyMs)])
      }
    },
    forget() {
      statuses = {}
      tookMs = []
      readMs = []
      answeredAtMs.clear()
    },
    async figures() {
      const untilMs = performance.now() + lastDeliveryMs
      const undelivered = () => [...answeredAtMs.keys()].filter((id) => !arrivedAtMs.has(id))
      while (undelivered().length > 0 && performance.now() < untilMs) await sleep(50)
      const nowMs = performance.now()
      const lags = [...answeredAtMs].map(([id, answeredMs]) => (arrivedAtMs.get(id) ?? nowMs) - answeredMs)
      return {
        reports: tookMs.length,
        statuses,
        p99Ms: p99Of(tookMs),
        readP99Ms: p99Of(readMs),
        longestLagMs: Math.max(0, ...lags),
        undelivered: undelivered().length,
      }
    },
    close() {
      sensor.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

function p99Of(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}
