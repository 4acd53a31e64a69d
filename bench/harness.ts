/**
 * Runs a scenario: every contender in its process, the load generator in another, rounds interleaved so that what the
 * machine does meanwhile meets all alike. Out: every measurement, medians, and ratios of ours to each other one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contender } from './contenders/contender.ts'
import { readCpuTimeMs } from './cpu-time.ts'
import type { Measurement, TokenWork } from './load/token-load.ts'
import type { Scenario } from './scenarios.ts'

export interface Effort {
  rounds: number
  seconds: number
  connections: number
}

export interface Round extends Measurement {
  /** Processor time of the contender per request, all its threads together. */
  cpuMicroseconds: number
}

export interface ContenderResult {
  name: string
  rounds: Round[]
  cpuMicroseconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

export interface ScenarioResult {
  name: string
  contenders: ContenderResult[]
  /** Requests per second of ours over those of the contender, the median of the rounds. */
  ratios: Record<string, number>
}

const loadProgram = fileURLToPath(new URL('load/token-load.ts', import.meta.url))

export async function runScenario(
  { name, contenders }: Scenario,
  effort: Effort,
  tell: (line: string) => void,
): Promise<ScenarioResult> {
  const running = new Map<string, Contender>()
  const measured = new Map<string, Round[]>(Object.keys(contenders).map((contender) => [contender, []]))
  try {
    for (const [contender, start] of Object.entries(contenders)) running.set(contender, await start())
    // The first round warms up and is not counted.
    for (let round = 0; round <= effort.rounds; round++) {
      const order = [...running]
      if (round % 2 === 1) order.reverse()
      for (const [contender, server] of order) {
        const measurement = await measure(server, effort)
        tell(
          `${name}, ${contender}, ${round === 0 ? 'warm-up' : `round ${round}`}: ${Math.round(measurement.perSecond)}/s`,
        )
        if (round > 0) measured.get(contender)?.push(measurement)
      }
    }
  } finally {
    for (const { stop } of running.values()) await stop()
  }
  return toResult(name, measured)
}

async function measure({ prepare, pid }: Contender, effort: Effort): Promise<Round> {
  const work = await prepare(effort.connections)
  const beforeMs = readCpuTimeMs(pid)
  const measurement = await load(work, effort)
  const cpuMs = readCpuTimeMs(pid) - beforeMs
  return { ...measurement, cpuMicroseconds: (cpuMs * 1_000) / measurement.requests }
}

async function load(work: TokenWork, { seconds, connections }: Effort): Promise<Measurement> {
  const child = spawn(process.execPath, [loadProgram], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stdin.end(JSON.stringify({ work, seconds, connections }))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The load generator ended with ${code}`)
  return JSON.parse(output)
}

function toResult(name: string, measured: Map<string, Round[]>): ScenarioResult {
  const [ours = []] = measured.values()
  const contenders = [...measured].map(([contender, rounds]) => ({
    name: contender,
    rounds,
    cpuMicroseconds: median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  }))
  const ratios = [...measured].slice(1).map(([contender, rounds]): [string, number] => {
    const perRound = rounds.map(({ perSecond }, round) => (ours[round]?.perSecond ?? Number.NaN) / perSecond)
    return [contender, median(perRound)]
  })
  return { name, contenders, ratios: Object.fromEntries(ratios) }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
