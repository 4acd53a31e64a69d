/**
 * Kills the agent at random moments, and compares what report() had accepted with what arrived.
 * In: the number of kills and the durability. Out: the counts, and one line for each violation: a position that is neither delivered
 * nor counted as dropped, as its mode promises; a position out of order; a folder that a restart cannot use.
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
  /** Positions that the mode memory-first may lose. */
  lostWithinBound: number
  violations: string[]
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))
/** The program's `syncMs`, and time for a busy machine to keep it. */
const boundMs = 200 + 800

export async function soakAgentKills({
  kills,
  seed,
  durability,
  onKill,
}: AgentKillsOptions): Promise<AgentKillsResult> {
  const random = createRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'posrep-soak-agent-'))
  const ingest = await anIngest(createRandom(seed + 1))
  const reports: { from: number; to: number; atMs: number }[] = []
  const killedAtMs: number[] = []
  const violations: string[] = []
  let dropped = 0
  let said = 0
  let next = 1
  try {
    for (let killed = 1; killed <= kills; killed += 1) {
      const run = start()
      ingest.setAway(random.chance(0.3))
      // Most are killed while they report, some while they start.
      if (random.chance(0.9)) await run.ready
      await sleep(random.whole(0, random.chance(0.15) ? 2_500 : 400))
      run.child.kill('SIGKILL')
      await run.ended
      killedAtMs.push(performance.now())
      if (run.child.signalCode !== 'SIGKILL') violations.push(`a run ended by itself: ${run.errors()}`)
      onKill?.(killed, reports.length)
    }
    ingest.setAway(false)
    const last = start()
    await last.ready
    await sleep(500)
    last.child.kill('SIGTERM')
    await Promise.race([last.ended, sleep(60_000)])
    if (last.child.exitCode !== 0) violations.push(`the last run did not empty the spool: ${last.errors()}`)
    last.child.kill('SIGKILL')
    return result()
  } finally {
    ingest.close()
    await rm(folder, { recursive: true, force: true })
  }

  function start(): Run {
    ingest.beginRun(next)
    return aRun([String(ingest.port), folder, durability, String(next)], (line) => {
      const [kind, from = 0, to = 0] = line.split(' ').map((word, at) => (at === 0 ? word : Number(word)))
      if (kind === 'D') {
        // A spool from which everything was sent begins to count again.
        dropped += Math.max(0, Number(from) - said)
        said = Number(from)
      }
      if (kind !== 'R') return
      reports.push({ from: Number(from), to: Number(to), atMs: performance.now() })
      next = Number(to) + 1
    })
  }

  function result(): AgentKillsResult {
    const missing = reports.flatMap(({ from, to, atMs }) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ number: from + at, atMs })).filter(
        ({ number }) => !ingest.received.has(number),
      ),
    )
    const isWithinBound = ({ atMs }: { atMs: number }) =>
      durability === 'memory-first' && killedAtMs.some((killMs) => killMs >= atMs && killMs - atMs <= boundMs)
    const unexplained = missing.filter((one) => !isWithinBound(one))
    const lost = unexplained.length - dropped
    return {
      accepted: reports.reduce((sum, { from, to }) => sum + to - from + 1, 0),
      received: ingest.received.size,
      repeated: ingest.counts.repeated,
      dropped,
      lostWithinBound: missing.length - unexplained.length,
      violations: [
        ...violations,
        ...ingest.violations,
        ...(lost > 0 ? [`${lost} positions are neither delivered nor counted, such as ${unexplained[0]?.number}`] : []),
      ],
    }
  }
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
