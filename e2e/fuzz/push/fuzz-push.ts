/**
 * Sends broken positions to a sensor agent as NDJSON, by HTTP and by UDP, through the sources as they are.
 * In: how many inputs per source, a seed. Out: what went wrong: an exception, an input that gave neither a position nor
 * a count, an answer that does not say what became of the input, and a stored position that the service would refuse.
 */
import { createSocket } from 'node:dgram'
import { Readable } from 'node:stream'
import { createAgent } from '@posrep/sensor-agent'
import { httpSource, jsonLinesSource, runSource, type Source, udpSource } from '@posrep/sensor-agent/sources'
import { vPositionData } from '@posrep/spec/validators'
import fc from 'fast-check'
import { until } from '../../../testing/real-time.ts'
import type { SourceFuzz } from '../fuzz-sources.ts'
import { garbled, mutated } from '../mutations.ts'

const position = fc.record({
  id: fc.constantFrom('1', '2', ''),
  sourceTimeStamp: fc.constantFrom('2026-11-25T11:59:59Z', '2026-11-25T12:59:59.5+01:00'),
  position: fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  onGround: fc.boolean(),
})
const batches = fc.oneof(position, fc.array(position, { maxLength: 3 }), fc.record({ positions: fc.array(position) }))
const toText = (value: unknown) => JSON.stringify(value) ?? ''
const inputsOf = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(values.map(toText), mutated(values).map(toText), garbled(values.map(toText)).map(String))

/** Larger ones are refused by the operating system. */
const largestDatagram = 60_000

export async function fuzzPush({ inputs, seed }: { inputs: number; seed: number }): Promise<SourceFuzz> {
  const result: SourceFuzz = { inputs: 0, positions: 0, unusable: 0, faults: [] }
  const sample = (values: fc.Arbitrary<unknown>) => fc.sample(inputsOf(values), { numRuns: inputs, seed })
  await fuzzLines(sample(position), result)
  await fuzzHttp(sample(batches), result)
  await fuzzUdp(sample(batches), result)
  return result
}

/** One line is one position or one count. */
async function fuzzLines(texts: readonly string[], result: SourceFuzz): Promise<void> {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
  const running = run(jsonLinesSource(Readable.from(lines.map((line) => `${line}\n`))), result)
  const { positions, unusable } = await running.ended
  await running.close()
  result.inputs += lines.length
  if (positions + unusable !== lines.length)
    result.faults.push(`NDJSON: ${lines.length} lines gave ${positions} positions and ${unusable} counts`)
}

/** 202 says that all of a body is stored, 400 that something in it was counted. */
async function fuzzHttp(texts: readonly string[], result: SourceFuzz): Promise<void> {
  const running = run(httpSource({ port: 0 }), result)
  const url = /http:\S+/.exec(await running.listening())?.[0] ?? ''
  for (const body of texts) {
    result.inputs += 1
    const before = running.counted()
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(url, { method: 'POST', headers, body })
    const isStored = running.counted().unusable === before.unusable
    if (status !== (isStored ? 202 : 400)) result.faults.push(`HTTP: answered ${status} to ${body}`)
    if (running.counted().sum === before.sum) result.faults.push(`HTTP: neither stored nor counted: ${body}`)
  }
  await running.close()
}

async function fuzzUdp(texts: readonly string[], result: SourceFuzz): Promise<void> {
  const running = run(udpSource({ port: 0 }), result)
  const port = Number((await running.listening()).split(':').at(-1))
  const socket = createSocket('udp4')
  for (const text of texts) {
    if (Buffer.byteLength(text) > largestDatagram) continue
    result.inputs += 1
    const counted = running.nextCount()
    socket.send(text, port, '127.0.0.1')
    await counted
  }
  socket.close()
  await running.close()
}

/** The source with an agent whose service takes all. */
function run(source: Source, result: SourceFuzz) {
  const stop = new AbortController()
  const states: string[] = []
  const counts = { positions: 0, unusable: 0 }
  let wake = () => {}
  const agent = createAgent({
    ingestOrigin: new URL('http://localhost'),
    sensor: 'roof1',
    tokens: { get: async () => 'token', refresh: async () => 'token' },
    gzipFromBytes: Number.POSITIVE_INFINITY,
    async fetch(request) {
      const { positions } = (await new Request(request).json()) as { positions: unknown[] }
      for (const position of positions) if (!isPosition(position)) result.faults.push(`stored: ${toText(position)}`)
      return new Response(null, { status: 202 })
    },
    onAlarm: (error) => result.faults.push(`${source.name}: ${error.message}`),
  })
  const ended = runSource(source, agent, {
    signal: stop.signal,
    onState: (state) => states.push(state),
    onStored(positions) {
      counts.positions += positions
      wake()
    },
    onUnusable() {
      counts.unusable += 1
      wake()
    },
  })
  return {
    ended,
    counted: () => ({ ...counts, sum: counts.positions + counts.unusable }),
    /** Resolves when the next input is stored or counted. */
    nextCount: () => new Promise<void>((resolve) => (wake = resolve)),
    async listening(): Promise<string> {
      await until('the source listens', () => states.length > 0)
      return states[0] ?? ''
    },
    async close(): Promise<void> {
      stop.abort()
      await ended
      const { accepted } = await agent.close()
      if (accepted !== counts.positions)
        result.faults.push(`${source.name}: ${counts.positions} stored, ${accepted} sent`)
      result.positions += counts.positions
      result.unusable += counts.unusable
    },
  }
}

/** As the service checks it. */
function isPosition(value: unknown): boolean {
  const checked = vPositionData['~standard'].validate(value)
  return !('then' in checked) && checked.issues === undefined
}
