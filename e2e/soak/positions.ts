/**
 * Sends millions of positions from sensors through the server to a relay, and measures the server's memory.
 * In: the number of positions. Out: the memory over time, its growth, and lost reports.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hangsAfterMs } from '../../testing/real-time.ts'
import { aReportText, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrnOf, seedWith, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { createRandom } from './random.ts'
import { aRecorder, type Recorder } from './recorder.ts'
import { residentBytes, type Sample } from './resident-memory.ts'

export interface PositionsOptions {
  positions: number
  /** Default 1,000. */
  sampleEveryMs?: number
  onSample?: (sample: Sample, databaseBytes: number) => void
}

export interface PositionsResult {
  positions: number
  tookMs: number
  samples: Sample[]
  violations: string[]
}

const perReport = 100
const sensorCount = 8
/**
 * Limit of accepted and undelivered reports of a sensor; at the limit the sensor waits, so that no position is dropped.
 */
const maxInFlight = 50

export async function soakPositions(options: PositionsOptions): Promise<PositionsResult> {
  const { positions, sampleEveryMs = 1_000, onSample } = options
  const location = await aServerLocation(seedWith(sensorCount))
  const flags = ['--seed', join(location.folder, 'seed.json'), '--allow-private-relays', '--log-level', 'warn']
  const server = await startServer(location, ...flags)
  trust(server.certificate.ca)
  const recorder = await aRecorder({ certificate: server.certificate, random: createRandom(1), troubled: 0 })
  try {
    const sensors = await Promise.all(
      someLocalIds(sensorCount).map((localId) =>
        aSensor({ origin: server.ready.origin, ca: server.certificate.ca, localId }),
      ),
    )
    const user = await aUser(server)
    for (const { localId } of sensors)
      await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })

    const startedAtMs = performance.now()
    const reports = Math.ceil(positions / perReport / sensorCount)
    const sampling = new AbortController()
    const samples: Sample[] = []
    const sampled = sample(sampling.signal)
    const unexpected = (await Promise.all(sensors.map((sensor) => submitAll(sensor, reports, recorder)))).flat()
    sampling.abort()
    await sampled
    const tookMs = performance.now() - startedAtMs
    for (const sensor of sensors) sensor.close()
    const code = await server.stop()
    if (code !== 0) unexpected.push(`the server exited with ${code}`)
    return {
      positions: reports * perReport * sensorCount,
      tookMs,
      samples,
      violations: [...unexpected, ...recorder.violations],
    }

    async function sample(stopping: AbortSignal): Promise<void> {
      while (!stopping.aborted) {
        const taken = { at: recorder.counts.first * perReport, bytes: await residentBytes(server.ready.pid) }
        samples.push(taken)
        onSample?.(taken, await databaseBytes(join(location.folder, 'data')))
        // The sleep is aborted at the end of the run.
        await sleep(sampleEveryMs, undefined, { signal: stopping }).catch(() => {})
      }
    }
  } finally {
    recorder.stop()
    await server.kill()
    await location.remove()
  }
}

/** Resolves when all reports have arrived at the relay. */
async function submitAll(sensor: Sensor, reports: number, recorder: Recorder): Promise<string[]> {
  const { localId: queue } = sensor
  const unexpected: string[] = []
  const inFlight = (sent: number) => sent - recorder.received(queue).size
  for (let number = 1; number <= reports; number++) {
    while (inFlight(number) > maxInFlight) await sleep(5)
    const { status, body } = await sensor.submit(aReportText(`${queue}:${number}`, perReport))
    if (status === 202) continue
    if (status !== 503) unexpected.push(`${queue}:${number} was answered ${status}: ${body}`)
    await sleep(100)
    number--
  }
  const startedAtMs = performance.now()
  while (inFlight(reports) > 0 && performance.now() - startedAtMs < hangsAfterMs) await sleep(20)
  if (inFlight(reports) > 0) unexpected.push(`${inFlight(reports)} reports of ${queue} did not arrive`)
  return unexpected
}

async function databaseBytes(folder: string): Promise<number> {
  const files = ['posrep.sqlite', 'posrep.sqlite-wal'].map((name) => join(folder, name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
