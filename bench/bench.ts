/**
 * `pnpm bench`: compares this server with others doing the same work, in one run on one machine.
 * In: the options of `options.ts`. Out: a table of medians and ratios, or JSON.
 */
import { clientScenarios } from './client-scenarios.ts'
import { deliveryScenarios } from './delivery-scenarios.ts'
import { runScenario } from './harness.ts'
import { ingestScenarios } from './ingest-scenarios.ts'
import { readOptions } from './options.ts'
import { toMachine, toTable } from './report.ts'
import type { Scenario } from './scenario.ts'
import { tokenScenarios } from './token-scenarios.ts'

const { effort, only, contenders: wanted, json, profileFolder } = readOptions()
const machine = toMachine()
const scenarios = [...tokenScenarios, ...ingestScenarios, ...deliveryScenarios, ...clientScenarios]
const results = []
for (const scenario of scenarios.filter(isWanted).map(withWantedContenders)) {
  results.push(await runScenario(scenario, { effort, printProgress, profileFolder }))
}

process.stdout.write(
  json ? `${JSON.stringify({ machine, effort, results }, null, 2)}\n` : toTable(results, effort, machine),
)

function isWanted({ name }: Scenario): boolean {
  return only === undefined || name.includes(only)
}

function withWantedContenders(scenario: Scenario): Scenario {
  if (wanted === undefined) return scenario
  const chosen = Object.entries(scenario.contenders).filter(([name]) => wanted.some((part) => name.includes(part)))
  return { ...scenario, contenders: Object.fromEntries(chosen) }
}

/** Prints the progress on standard error; standard output has the result. */
function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}
