/**
 * `pnpm bench`: ours beside others at the same work, in one run on one machine.
 * In: --rounds, --seconds, --connections, --only NAME, --contender NAME, --json, --cpu-prof FOLDER.
 * Out: a table of medians and ratios, or JSON.
 */
import { parseArgs } from 'node:util'
import { deliveryScenarios } from './delivery-scenarios.ts'
import { runScenario } from './harness.ts'
import { ingestScenarios } from './ingest-scenarios.ts'
import { toMachine, toTable } from './report.ts'
import type { Scenario } from './scenario.ts'
import { tokenScenarios } from './token-scenarios.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
    contender: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
})

const effort = {
  rounds: toCount('--rounds', values.rounds, 50),
  seconds: toCount('--seconds', values.seconds, 60),
  connections: toCount('--connections', values.connections, 512),
}
const machine = toMachine()
const scenarios = [...tokenScenarios, ...ingestScenarios, ...deliveryScenarios]
const results = []
for (const scenario of scenarios.filter(isWanted).map(withWantedContenders)) {
  results.push(await runScenario(scenario, { effort, tell, profileFolder: values['cpu-prof'] }))
}

process.stdout.write(
  values.json ? `${JSON.stringify({ machine, effort, results }, null, 2)}\n` : toTable(results, effort, machine),
)

function isWanted({ name }: Scenario): boolean {
  return values.only === undefined || name.includes(values.only)
}

function withWantedContenders(scenario: Scenario): Scenario {
  const { contender: wanted } = values
  if (wanted === undefined) return scenario
  const chosen = Object.entries(scenario.contenders).filter(([name]) => wanted.some((part) => name.includes(part)))
  return { ...scenario, contenders: Object.fromEntries(chosen) }
}

/** How it goes, for who waits; standard output is the result's. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

function toCount(flag: string, text: string, most: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  process.stderr.write(`bench: ${flag} must be a whole number from 1 to ${most}, got "${text}"\n`)
  process.exit(2)
}
