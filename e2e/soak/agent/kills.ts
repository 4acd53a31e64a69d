/**
 * Kills the agent at random moments, and compares what report() had accepted with what arrived.
 * In: the number of kills and the durability. Out: the counts, and one line for each violation: a position that is
 * neither delivered nor counted as dropped, as its mode promises; a loss that the next start does not tell; a position
 * out of order; a folder that a restart cannot use.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../random.ts'
import { anIngest } from './ingest.ts'

export interface AgentKillsOptions {
  kills: number
  seed: number
  durability: 'file' | 'memory-first'
  onKill?: (kills: number, accepted: number) => void
}

export interface AgentKillsResult {
  /** Positions whose report() had returned. */
  accepted: number
  received: number
  repeated: number
  dropped: number
  /**
   * Positions that the mode memory-first may lose: those of the last `syncMs` before a kill, and of the time in which
   * it could not run.
   */
  lostWithinBound: number
  /** Those of them that were older than `syncMs`, because the process could not run in between. */
  lostInStalls: number
  violations: string[]
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))
/** The agent begins to write after three quarters of it: the last one is for a busy machine. */
const syncMs = 600
/** The process says the time every 20 ms; when two are further apart than this, it could not run in between. */
const stallMs = 100

export async function soakAgentKills({
  kills,
  seed,
  durability,
  onKill,
}: AgentKillsOptions): Promise<AgentKillsResult> {
  const random = createRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'posrep-soak-agent-'))
  const ingest = await anIngest(createRandom(seed + 1))
  const runs: RunRecord[] = []
  const violations: string[] = []
  let accepted = 0
  let dropped = 0
  let said = 0
  let next = 1
  try {
    for (let killed = 1; killed <= kills; killed += 1) {
      const { run, record } = start()
      ingest.setAway(random.chance(0.3))
      // Most are killed while they report, some while they start.
      if (random.chance(0.9)) await run.ready
      await sleep(random.whole(0, random.chance(0.25) ? 2_500 : 400))
      record.killedAtMs = Date.now()
      run.child.kill('SIGKILL')
      await run.ended
      if (run.child.signalCode !== 'SIGKILL') violations.push(`a run ended by itself: ${run.errors()}`)
      onKill?.(killed, accepted)
    }
    ingest.setAway(false)
    const { run: last } = start()
    await last.ready
    await sleep(500)
    last.child.kill('SIGTERM')
    // As long as it delivers, it is not stuck.
    for (let before = -1; last.child.exitCode === null && before < ingest.counts.reports; ) {
      before = ingest.counts.reports
      await Promise.race([last.ended, sleep(30_000)])
    }
    if (last.child.exitCode !== 0) violations.push(`the last run did not empty the spool: ${last.errors()}`)
    last.child.kill('SIGKILL')
    return result()
  } finally {
    ingest.close()
    await rm(folder, { recursive: true, force: true })
  }

  function start(): { run: Run; record: RunRecord } {
    ingest.beginRun()
    const record: RunRecord = { reports: [], ticksMs: [], killedAtMs: Number.POSITIVE_INFINITY, toldMs: undefined }
    runs.push(record)
    const run = aRun([String(ingest.port), folder, durability, String(syncMs), String(next)], (line) => {
      const [kind, ...words] = line.split(' ')
      const [first = 0, to = 0, atMs = 0, isWritten = 0] = words.map(Number)
      if (kind === 'U') record.toldMs = first
      if (kind === 'T') record.ticksMs.push(first)
      if (kind === 'D') {
        // A spool from which everything was sent begins to count again.
        dropped += Math.max(0, first - said)
        said = first
      }
      if (kind !== 'R') return
      record.reports.push({ from: first, to, atMs, isWritten: isWritten === 1 })
      accepted += to - first + 1
      next = to + 1
    })
    return { run, record }
  }

  function result(): AgentKillsResult {
    let notDelivered = 0
    let lostWithinBound = 0
    let lostInStalls = 0
    for (const [index, { reports, ticksMs, killedAtMs }] of runs.entries()) {
      const lost = reports.flatMap((report) => missingOf(report).map((number) => ({ ...report, number })))
      notDelivered += lost.length
      if (durability === 'file' || lost.length === 0) continue
      lostWithinBound += lost.length
      for (const { number, atMs, isWritten } of lost) {
        const ageMs = killedAtMs - atMs
        const stalledMs = toStalledMs([...ticksMs, killedAtMs], atMs)
        if (ageMs > syncMs + stalledMs)
          violations.push(
            `${number} was lost ${ageMs} ms after it was stored, of which the process could not run ${stalledMs} ms`,
          )
        else if (ageMs > syncMs) lostInStalls += 1
        if (isWritten) violations.push(`${number} was lost although the service was known to be away`)
      }
      const told = runs.slice(index + 1).find(({ toldMs }) => toldMs !== undefined)
      if (told?.toldMs !== syncMs) violations.push(`the loss of ${lost.length} positions was not told: ${told?.toldMs}`)
    }
    if (durability === 'memory-first' && dropped > 0)
      violations.push(`${dropped} positions were dropped, and the spool was not full`)
    if (durability === 'file' && notDelivered > dropped)
      violations.push(`${notDelivered - dropped} positions are neither delivered nor counted`)
    if (durability === 'file' && runs.some(({ toldMs = 0 }) => toldMs > 0))
      violations.push('a loss was told without one')
    return {
      accepted,
      received: ingest.received.size,
      repeated: ingest.counts.repeated,
      dropped,
      lostWithinBound,
      lostInStalls,
      violations: [...violations, ...ingest.violations],
    }
  }

  function missingOf({ from, to }: Report): number[] {
    return Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((number) => !ingest.received.has(number))
  }
}

interface Report {
  from: number
  to: number
  /** Before the call of report(). */
  atMs: number
  /** Whether the positions had to be in the file when report() returned. */
  isWritten: boolean
}

/** What a run of the agent said until it was killed. */
interface RunRecord {
  reports: Report[]
  /** When it ran. */
  ticksMs: number[]
  killedAtMs: number
  /** The time in which the run before may have lost positions; undefined if it was killed before it said so. */
  toldMs: number | undefined
}

/** The time after `fromMs` in which no tick came that was due, also before the first one. */
export function toStalledMs(ticksMs: readonly number[], fromMs: number): number {
  let stalledMs = 0
  for (const [at, tickMs] of ticksMs.entries()) {
    const waitMs = tickMs - Math.max(fromMs, ticksMs[at - 1] ?? fromMs)
    if (waitMs > stallMs) stalledMs += waitMs
  }
  return stalledMs
}

interface Run {
  child: ChildProcess
  /** Resolves when the spool is open, or the process has ended. */
  ready: Promise<unknown>
  /** Resolves when the process has ended and all its lines were read. */
  ended: Promise<unknown>
  errors(): string
}

function aRun(args: string[], onLine: (line: string) => void): Run {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = createInterface({ input: child.stdout })
  lines.on('line', onLine)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')])
  return { child, ready: Promise.race([once(lines, 'line'), ended]), ended, errors: () => errors }
}
