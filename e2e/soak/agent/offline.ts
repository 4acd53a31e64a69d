/**
 * Days without the service, in simulated time: 50 targets, one position per second each, a file spool with a limit.
 * In: the number of days. Out: the counts, the greatest sizes of memory and files, and one line for each violation.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAgent } from '@posrep/sensor-agent'
import { fileSpool } from '@posrep/sensor-agent/file-spool'
import { createManualClock } from '../../../packages/sensor-agent/test/support/manual-clock.ts'
import { aLaneCheck } from './lane-check.ts'

export interface OfflineOptions {
  days: number
  whenFull?: 'oldest' | 'thin-per-target'
  onHour?: (hour: number, spooled: number) => void
}

export interface OfflineResult {
  reported: number
  accepted: number
  dropped: number
  maxDiskBytes: number
  /** The heap after a garbage collection. */
  maxHeapBytes: number
  /** Positions of the backlog per second, while the new ones were sent beside it. */
  backlogPerSecond: number
  violations: string[]
}

setFlagsFromString('--expose-gc')
// The flag defines it in new contexts only.
const collectGarbage = runInNewContext('gc') as () => void

const targets = 50
/** A disk would only be slower. */
const inMemory = '/dev/shm'
const maxBytes = 100_000_000
const maxHeap = 64_000_000
const pace = 500
const paceSeconds = 60

export async function soakAgentOffline({ days, whenFull = 'oldest', onHour }: OfflineOptions): Promise<OfflineResult> {
  const folder = await mkdtemp(join(existsSync(inMemory) ? inMemory : tmpdir(), 'posrep-soak-offline-'))
  const clock = createManualClock()
  const violations: string[] = []
  const lanes = aLaneCheck()
  let arrived = 0
  let newest = 0
  let isAway = true
  let phaseFrom = Number.POSITIVE_INFINITY
  let arrivedOfPhase = 0
  let maxDiskBytes = 0
  let maxHeapBytes = 0
  const spool = await fileSpool(folder, { maxBytes, whenFull, clock })
  const agent = createAgent({
    ingestOrigin: new URL('http://127.0.0.1:1'),
    sensor: 'roof1',
    tokens: { get: async () => 'token', refresh: async () => 'token' },
    spool,
    clock,
    backlogPerSecond: pace,
    gzipFromBytes: Number.POSITIVE_INFINITY,
    onAlarm: () => undefined,
    async fetch(request) {
      if (isAway) throw new TypeError('fetch failed')
      const { positions } = (await request.json()) as { positions: { id: string }[] }
      for (const { id } of positions) receive(Number(id))
      return new Response(null, { status: 202 })
    },
  })
  let next = 1
  try {
    const seconds = Math.round(days * 86_400)
    for (let second = 1; second <= seconds; second += 1) {
      await reportAll()
      if (second % 900 === 0) await sample()
      if (second % 3_600 === 0) onHour?.(second / 3_600, spool.counters().entries)
    }
    const { spooled, dropped } = agent.stats()
    if (spooled + dropped !== next - 1)
      violations.push(`${next - 1} reported, ${spooled} in the spool, ${dropped} dropped`)

    isAway = false
    // The longest wait between two attempts.
    for (let second = 0; second < 61; second += 1) await reportAll(true)
    if (newest < next - 3 * targets) violations.push('no new position was sent first')
    const before = arrived
    phaseFrom = next
    for (let second = 0; second < paceSeconds; second += 1) await reportAll(true)
    const backlogPerSecond = (arrived - before - arrivedOfPhase) / paceSeconds
    if (backlogPerSecond > pace * 1.05 || backlogPerSecond < pace * 0.9)
      violations.push(`the backlog was sent at ${backlogPerSecond} per second`)
    if (newest < next - 3 * targets) violations.push('new positions did not go at once')
    await agent.flush()
    const { accepted, dropped: droppedInAll } = await agent.close()
    if (accepted + droppedInAll !== next - 1) violations.push(`${next - 1 - accepted - droppedInAll} are not counted`)
    if (maxDiskBytes > maxBytes) violations.push(`the files had ${maxDiskBytes} bytes`)
    if (maxHeapBytes > maxHeap) violations.push(`the heap had ${maxHeapBytes} bytes`)
    return {
      reported: next - 1,
      accepted,
      dropped: droppedInAll,
      maxDiskBytes,
      maxHeapBytes,
      backlogPerSecond,
      violations,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  /** One second. `withFiles`: leaves time for reading the files, which a simulated clock does not advance. */
  async function reportAll(withFiles = false): Promise<void> {
    await agent.report(Array.from({ length: targets }, (_, target) => aPosition(next + target, target)))
    next += targets
    for (let step = 0; step < (withFiles ? 20 : 1); step += 1) {
      await clock.advance(withFiles ? 50 : 1_000)
      if (withFiles) await sleep(2)
    }
  }

  function receive(number: number): void {
    arrived += 1
    if (number >= phaseFrom) arrivedOfPhase += 1
    newest = Math.max(newest, number)
    if (!lanes.takes(number)) violations.push(`${number} arrived out of order`)
  }

  async function sample(): Promise<void> {
    const sizes = await Promise.all(
      (await readdir(folder)).map((name) => stat(join(folder, name)).catch(() => undefined)),
    )
    const bytes = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0)
    maxDiskBytes = Math.max(maxDiskBytes, bytes)
    collectGarbage()
    maxHeapBytes = Math.max(maxHeapBytes, process.memoryUsage().heapUsed)
  }
}

function aPosition(number: number, target: number) {
  return {
    id: String(number),
    sourceTimeStamp: '2026-11-21T12:00:00Z',
    position: { lat: 60.3, lon: 24.9 },
    target: { type: 'aa:target:aircraft' as const, ids: [{ id: `4600${target}`, type: 'ICAO' }] },
    altitudes: [{ height: 922, datum: 'bar' as const }],
    groundVelocity: { x: -46.1, y: 55.2, z: -3.6 },
  }
}
