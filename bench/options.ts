/** Reads the options of the command line. `--help` and a wrong option end the process. */
import { parseArgs } from 'node:util'

const usage = `Usage: pnpm bench [options]

Measures ours beside others at the same work and prints a table of medians and ratios. bench/README.md says how to read it.

  --rounds N            measured rounds of each contender, 1 to 50 (default 5)
  --seconds N           how long a round lasts, 1 to 60 (default 2)
  --connections N       connections of the load generator, 1 to 512 (default 64)
  --only NAME           scenarios whose name has this in it: token, ingest, "ingest: 100", deliveries, sdk
  --contender NAME      contenders whose name has this in it; may be repeated
  --json                every round and the machine, as JSON
  --cpu-prof FOLDER     ours also leaves CPU profiles there; node bench/profile.ts FOLDER reads them
  --help                this
`

const options = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  connections: { type: 'string', default: '64' },
  only: { type: 'string' },
  contender: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  'cpu-prof': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export function readOptions() {
  const values = parse()
  if (values.help) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const effort = {
    rounds: toCount('--rounds', values.rounds, 50),
    seconds: toCount('--seconds', values.seconds, 60),
    connections: toCount('--connections', values.connections, 512),
  }
  return {
    effort,
    only: values.only,
    contenders: values.contender,
    json: values.json,
    profileFolder: values['cpu-prof'],
  }
}

function parse() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

function toCount(flag: string, text: string, most: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  return refuse(`${flag} must be a whole number from 1 to ${most}, got "${text}"`)
}

function refuse(reason: string): never {
  process.stderr.write(`bench: ${reason}\n\n${usage}`)
  process.exit(2)
}
