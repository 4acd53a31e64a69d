/**
 * A source of positions in a process: the sensor agent, or a loop of `fetch` calls as one writes it by hand.
 * In: an order on standard input. Out: a Measurement on standard output; a request is a report of `positions`
 * positions.
 * - `agent`: from report() to the 202, with a spool.
 * - `fetch loop`: the same positions, validated by nobody and kept nowhere, one request at a time.
 * - `report()`: only the agent's report(); nothing is sent.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAgent, memorySpool, type Spool } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'
import type { PositionData } from '@posrep/spec'
import { type Measurement, startMeasuring, toMeasurement } from './measurement.ts'

export interface AgentWork {
  /** Port of a server that accepts every report, on 127.0.0.1. */
  port: number
  sender: 'agent' | 'fetch loop' | 'report()'
  spool: 'memory' | 'file' | 'memory-first'
  positions: number
}

const { work, seconds }: { work: AgentWork; seconds: number } = JSON.parse(await text(process.stdin))
const folder = await mkdtemp(join(tmpdir(), 'posrep-bench-agent-'))
const url = `http://127.0.0.1:${work.port}/v1/position-reports`
const delaysMs: number[] = []
let number = 0
try {
  const measurement = work.sender === 'fetch loop' ? await measureFetchLoop() : await measureAgent(await openSpool())
  process.stdout.write(JSON.stringify(measurement))
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)

async function measureFetchLoop(): Promise<Measurement> {
  const startedAtMs = startMeasuring()
  const endAtMs = startedAtMs + seconds * 1_000
  for (let nowMs = startedAtMs; nowMs < endAtMs; nowMs = performance.now()) {
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
    const body = JSON.stringify({ sensor: { id: 'roof1' }, positions: nextPositions() })
    const { status } = await fetch(url, { method: 'POST', headers, body })
    if (status !== 202) throw new Error(`The server answered ${status}`)
    delaysMs.push(performance.now() - nowMs)
  }
  return toMeasurement(delaysMs, startedAtMs)
}

async function measureAgent(spool: Spool): Promise<Measurement> {
  const agent = createAgent({
    ingestOrigin: new URL(`http://127.0.0.1:${work.port}`),
    sensor: 'roof1',
    tokens: { get: async () => 'token', refresh: async () => 'token' },
    spool,
    batchSize: work.positions,
    // The same bytes as the loop's.
    gzipFromBytes: Number.POSITIVE_INFINITY,
    ...(work.sender === 'report()' && { fetch: () => new Promise(() => {}) }),
  })
  const startedAtMs = startMeasuring()
  const endAtMs = startedAtMs + seconds * 1_000
  for (let nowMs = startedAtMs; nowMs < endAtMs; nowMs = performance.now()) {
    await agent.report(nextPositions())
    // A source that waits, so that nothing is dropped.
    if (work.sender === 'agent' && agent.stats().spooled > 20 * work.positions) await agent.flush()
    delaysMs.push(performance.now() - nowMs)
  }
  if (work.sender === 'agent') await agent.flush()
  const { accepted, reported } = agent.stats()
  if (work.sender === 'agent' && accepted !== reported) throw new Error(`${accepted} of ${reported} were accepted`)
  return toMeasurement(delaysMs, startedAtMs)
}

function openSpool(): Promise<Spool> | Spool {
  // Nothing is sent in `report()`, so the spool holds everything.
  const maxBytes = 4_000_000_000
  if (work.spool === 'memory') return memorySpool({ maxBytes })
  return fileSpool(folder, { maxBytes, durability: work.spool })
}

function nextPositions(): PositionData[] {
  return Array.from({ length: work.positions }, () => aPosition(number++))
}

/** What the map needs, about 270 bytes. */
function aPosition(number: number): PositionData {
  return {
    id: String(number),
    sourceTimeStamp: '2026-11-21T12:00:00.000Z',
    target: { type: 'aa:target:aircraft', ids: [{ id: '461F9C', type: 'ICAO' }] },
    position: { lat: 60.3172, lon: 24.9633 },
    altitudes: [{ height: 922, datum: 'bar' }],
    groundVelocity: { x: -46.1, y: 55.2, z: -3.6 },
  }
}
