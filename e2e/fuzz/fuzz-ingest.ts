/**
 * Sends generated requests to the ingest of a new server, a given number or for a given time.
 * In: the number or the seconds, and a seed. Out: the number of requests, the statuses, the server's memory, and the
 * first request with a wrong answer, reduced to a minimal one.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Answer, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { fleet, seed as seedOfTests, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { residentBytes, type Sample } from '../soak/resident-memory.ts'
import { type Case, cases } from './cases.ts'
import { findFault } from './find-fault.ts'

export interface FuzzOptions {
  /** Default: as many as the seconds allow. */
  requests?: number
  /** Default: no limit. */
  seconds?: number
  /** Longest time for an answer. */
  deadlineMs: number
  seed: number
}

export interface FuzzResult {
  requests: number
  /** Number of answers with each status. */
  statuses: Map<number, number>
  /** Growth over the number of requests. */
  memory: Sample[]
  slowestMs: number
  faults: string[]
}

/** One request of each is in flight. */
const sensors = someLocalIds(4).map((localId) => ({
  localId,
  client: { id: `fleet-${localId}`, secret: fleet.secret },
  urn: `urn:aa:device:${localId}:${localId}`,
}))
const grants = ['client_credentials']
/** A client of its own for each: bodies that are not valid are limited by client. */
const fuzzSeed = {
  ...seedOfTests,
  clients: sensors.map(({ localId, client }) => ({
    ...{ ...client, name: localId, account: 'acme', urnPart: localId, grants, scopes: ['surveillance_api'] },
    partner: false,
  })),
  sensors: sensors.map(({ localId, client }) => ({ localId, client: client.id, name: localId })),
}

export async function fuzzIngest({ requests, seconds, deadlineMs, seed }: FuzzOptions): Promise<FuzzResult> {
  const location = await aServerLocation(fuzzSeed)
  const flags = ['--seed', join(location.folder, 'seed.json'), '--insecure-http', '--log-level', 'error']
  const server = await startServer(location, ...flags)
  const result: FuzzResult = { requests: 0, statuses: new Map(), memory: [], slowestMs: 0, faults: [] }
  try {
    const ended = new AbortController()
    const sampled = sample(ended.signal)
    await Promise.all(sensors.map((sensor, n) => fuzz(sensor, seed + n)))
    ended.abort()
    await sampled
    const code = await server.stop()
    if (code !== 0) result.faults.push(`the server exited with ${code}`)
    return result
  } finally {
    await server.kill()
    await location.remove()
  }

  async function fuzz({ localId, client, urn }: (typeof sensors)[number], ownSeed: number): Promise<void> {
    const sensor = await aSensor({ origin: server.ready.origin, ca: '', localId, client })
    const property = fc.asyncProperty(cases(localId), async (request) => {
      const answer = await ask(sensor, request)
      const fault = findFault(request, answer, [localId, urn])
      if (fault !== undefined) throw new Error(fault)
    })
    const details = await fc.check(property, {
      seed: ownSeed,
      numRuns: requests === undefined ? Number.MAX_SAFE_INTEGER : requests / sensors.length,
      ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false }),
    })
    sensor.close()
    if (details.failed) result.faults.push(toFault(details))
  }

  async function ask(sensor: Sensor, { body, headers }: Case): Promise<Answer> {
    const sentAtMs = performance.now()
    const answer = await sensor.submit(body, { headers, deadlineMs })
    result.requests++
    result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1)
    result.slowestMs = Math.max(result.slowestMs, performance.now() - sentAtMs)
    if (answer.status !== 429) return answer
    // Too many bytes of it were not valid. It goes on as a sensor does.
    await sleep(Number(answer.headers['retry-after']) * 1_000)
    return ask(sensor, { body, headers })
  }

  async function sample(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      result.memory.push({ at: result.requests, bytes: await residentBytes(server.ready.pid) })
      // The sleep is aborted at the end of the run.
      await sleep(Math.max(200, (seconds ?? 0) * 10), undefined, { signal: stopping }).catch(() => {})
    }
  }
}

function toFault(details: fc.RunDetails<[Case]>): string {
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance)
  return `${reason}\n${fc.defaultReportMessage(details)}`
}
