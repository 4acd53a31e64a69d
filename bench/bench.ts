/**
 * `pnpm bench`: ours beside others at the same work, in one run on one machine.
 * In: --rounds, --seconds, --connections, --only NAME, --json. Out: a table of medians and ratios, or JSON.
 */
import { parseArgs } from 'node:util'
import { runScenario } from './harness.ts'
import { toMachine, toTable } from './report.ts'
import { type Scenario, tokenScenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const effort = {
  rounds: toCount('--rounds', values.rounds, 50),
  seconds: toCount('--seconds', values.seconds, 60),
  connections: toCount('--connections', values.connections, 512),
}
const results = []
for (const scenario of tokenScenarios.filter(isWanted)) results.push(await runScenario(scenario, effort, tell))

process.stdout.write(
  values.json ? `${JSON.stringify({ machine: toMachine(), effort, results }, null, 2)}\n` : toTable(results, effort),
)

function isWanted({ name }: Scenario): boolean {
  return values.only === undefined || name.includes(values.only)
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
