/**
 * Runs a scenario: every contender and the load generator in separate processes, with interleaved rounds, so that other
 * load on the machine affects all alike. Out: every measurement, the medians, and the ratios of this server to each
 * other contender.
 */
import type { Contender } from './contenders/contender.ts'
import { type Effort, measure, type Round } from './measure.ts'
import type { ContenderOptions, Goal, Scenario } from './scenario.ts'

export interface RunOptions extends ContenderOptions {
  effort: Effort
  printProgress(line: string): void
}

export interface Figures {
  rounds: Round[]
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicroseconds: number
  generatorShare: number
}

export interface ContenderResult extends Figures {
  name: string
  /** Figures at half of `perSecond`, in scenarios that measure it. */
  halfLoad?: Figures
}

export interface ScenarioResult {
  name: string
  positions?: number
  contenders: ContenderResult[]
  /** Requests per second of this server divided by those of the contender, the median of the rounds. */
  ratios: Record<string, number>
  /**
   * `cpuReached`: the same ratio of processor time per request, the other's divided by this server's, for busy
   * machines.
   */
  goals: (Goal & { reached: number; cpuReached: number })[]
}

type Running = Map<string, Contender<unknown>>

export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const running: Running = new Map()
  if (scenario.leftOut !== undefined) options.printProgress(`${scenario.name}, left out: ${scenario.leftOut}`)
  try {
    for (const [name, start] of Object.entries(scenario.contenders)) running.set(name, await start(options))
    const full = await interleave(scenario, running, options)
    const rates = new Map([...full].map(([name, rounds]) => [name, toFigures(rounds).perSecond / 2]))
    const half = scenario.halfLoad && (await interleave(scenario, running, options, rates))
    return toResult(scenario, full, half)
  } finally {
    for (const { stop } of running.values()) await stop()
  }
}

/** Runs the rounds of each contender, at its rate if there are rates. */
async function interleave(
  { name: scenario, load }: Scenario,
  running: Running,
  { effort, printProgress }: RunOptions,
  rates?: Map<string, number>,
): Promise<Map<string, Round[]>> {
  const measured = new Map([...running.keys()].map((name): [string, Round[]] => [name, []]))
  // The first round is a warm-up and not counted; at half load all are already warm.
  for (let round = rates ? 1 : 0; round <= effort.rounds; round++) {
    const order = [...running]
    if (round % 2 === 1) order.reverse()
    for (const [name, contender] of order) {
      const result = await measure(contender, load, effort, rates?.get(name))
      printProgress(`${scenario}, ${name}, ${toStage(round, rates)}: ${toWords(result)}`)
      if (round > 0) measured.get(name)?.push(result)
    }
  }
  return measured
}

function toStage(round: number, rates: unknown): string {
  if (round === 0) return 'warm-up'
  return `round ${round}${rates ? ', half load' : ''}`
}

function toWords({ perSecond, p99Ms, settleMs }: Round): string {
  const settled = settleMs > 100 ? `, backlog processed ${(settleMs / 1_000).toFixed(1)} s later` : ''
  return `${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms${settled}`
}

function toResult(
  { name, positions, goals = [] }: Scenario,
  full: Map<string, Round[]>,
  half?: Map<string, Round[]>,
): ScenarioResult {
  const contenders = [...full].map(([contender, rounds]) => {
    const halfRounds = half?.get(contender)
    return { name: contender, ...toFigures(rounds), ...(halfRounds && { halfLoad: toFigures(halfRounds) }) }
  })
  const [ours] = full.keys()
  const ratio = (of: string, over: string) => medianRatio(full.get(of), full.get(over), 'perSecond')
  return {
    name,
    ...(positions !== undefined && { positions }),
    contenders,
    ratios: Object.fromEntries([...full.keys()].slice(1).map((over) => [over, ratio(ours ?? '', over)])),
    // Only goals whose contenders took part.
    goals: goals
      .filter(({ of, over }) => full.has(of) && full.has(over))
      .map((goal) => ({
        ...goal,
        reached:
          goal.figure === 'perSecond'
            ? ratio(goal.of, goal.over)
            : medianRatio(half?.get(goal.of), half?.get(goal.over), 'p99Ms'),
        cpuReached: medianRatio(full.get(goal.over), full.get(goal.of), 'cpuMicroseconds'),
      })),
  }
}

/** The median of the ratios of each round, since the contenders of a round have the same conditions. */
function medianRatio(of: Round[] = [], over: Round[] = [], figure: 'perSecond' | 'p99Ms' | 'cpuMicroseconds'): number {
  return median(of.map((round, index) => round[figure] / (over[index]?.[figure] ?? Number.NaN)))
}

function toFigures(rounds: Round[]): Figures {
  const of = (figure: keyof Omit<Figures, 'rounds'>) => median(rounds.map((round) => round[figure]))
  return {
    rounds,
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicroseconds: of('cpuMicroseconds'),
    generatorShare: of('generatorShare'),
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
