/** The result for people: one table, and what it was measured on. */
import { arch, cpus, release, totalmem, type } from 'node:os'
import type { Effort, ScenarioResult } from './harness.ts'

export function toMachine() {
  const list = cpus()
  return {
    date: new Date().toISOString(),
    cpu: list[0]?.model.trim() ?? arch(),
    cores: list.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}

export function toTable(results: ScenarioResult[], { rounds, seconds, connections }: Effort): string {
  const rows = results.flatMap(({ name, contenders, ratios }) =>
    contenders.map((contender) => [
      name,
      contender.name,
      Math.round(contender.perSecond).toLocaleString('en'),
      Number.isNaN(contender.cpuMicroseconds) ? '' : contender.cpuMicroseconds.toFixed(0),
      contender.p50Ms.toFixed(1),
      contender.p99Ms.toFixed(1),
      ratios[contender.name]?.toFixed(2) ?? '',
    ]),
  )
  const { cpu, cores, node, date } = toMachine()
  const about = `${date.slice(0, 10)}, ${cpu}, ${cores} cores, Node ${node}; ${rounds} rounds of ${seconds} s, ${connections} connections; medians`
  return `${about}\n\n${align([['Scenario', 'Contender', 'Requests/s', 'CPU µs each', 'p50 ms', 'p99 ms', 'ours / this'], ...rows])}\n`
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
