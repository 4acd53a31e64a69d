/** Formats the result as text: a table, the goals, and the machine. */
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os'
import type { ScenarioResult } from './harness.ts'
import type { Effort } from './measure.ts'

export function toMachine() {
  const list = cpus()
  return {
    date: new Date().toISOString(),
    cpu: list[0]?.model.trim() ?? arch(),
    cores: list.length,
    /** Load average of the last minute before the first measurement. */
    load: loadavg()[0]?.toFixed(1),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}

export type Machine = ReturnType<typeof toMachine>

const columns = [
  'Scenario',
  'Contender',
  'Requests/s',
  'Positions/s',
  'CPU µs each',
  'p50 ms',
  'p99 ms',
  'half load: p50 ms',
  'p99 ms',
  'generator',
  'ours / this',
]

export function toTable(results: ScenarioResult[], { rounds, seconds, connections }: Effort, machine: Machine): string {
  const rows = results.flatMap(({ name, positions, contenders, ratios }) =>
    contenders.map((contender) => [
      name,
      contender.name,
      toWhole(contender.perSecond),
      positions === undefined ? '' : toWhole(contender.perSecond * positions),
      Number.isNaN(contender.cpuMicroseconds) ? '' : contender.cpuMicroseconds.toFixed(0),
      contender.p50Ms.toFixed(1),
      contender.p99Ms.toFixed(1),
      contender.halfLoad?.p50Ms.toFixed(1) ?? '',
      contender.halfLoad?.p99Ms.toFixed(1) ?? '',
      `${(contender.generatorShare * 100).toFixed(0)} %`,
      ratios[contender.name]?.toFixed(2) ?? '',
    ]),
  )
  const { cpu, cores, load, node, date } = machine
  const about = `${date.slice(0, 10)}, ${cpu}, ${cores} cores, load ${load} before, Node ${node}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians`
  return [about, align([columns, ...rows]), toGoals(results), ''].filter((part) => part !== undefined).join('\n\n')
}

function toGoals(results: ScenarioResult[]): string | undefined {
  const rows = results.flatMap(({ name, goals }) =>
    goals.map(({ of, over, figure, bound, reached, cpuReached }) => {
      const isMost = figure === 'halfLoadP99Ms'
      const isReached = isMost ? reached <= bound : reached >= bound
      const what = isMost ? 'p99 at half load' : 'requests/s'
      const wanted = `${isMost ? 'at most' : 'at least'} ${Number(bound.toFixed(2))}`
      return [
        name,
        `${what}: ${of} / ${over}`,
        reached.toFixed(2),
        isMost ? '' : cpuReached.toFixed(2),
        wanted,
        isReached ? 'reached' : 'missed',
      ]
    }),
  )
  return rows.length === 0 ? undefined : align([['Scenario', 'Goal', 'Ratio', 'by CPU', 'Wanted', ''], ...rows])
}

function toWhole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isFigure = (column: number) => column >= 2
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isFigure(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
