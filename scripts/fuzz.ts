/**
 * `pnpm fuzz`: sends valid and broken reports in every encoding over HTTP to a built server.
 * In: --seconds N, --seed N. Out: the statuses of the answers. Exit code 1 for a wrong or late answer, a 5xx, or growing memory.
 */
import { parseArgs } from 'node:util'
import { fuzzIngest } from '../e2e/fuzz/fuzz-ingest.ts'
import { aSeed } from '../e2e/soak/random.ts'
import { growthOf } from '../e2e/soak/resident-memory.ts'

/** Largest relative growth of memory from the first to the last third, after a quarter of the requests. */
const maxGrowth = 0.25

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } })
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? aSeed())
if (!(seconds >= 5 && seconds <= 86_400)) refuse(`--seconds must be from 5 to 86400, got "${values.seconds}"`)
if (!Number.isInteger(seed)) refuse(`--seed must be a whole number, got "${values.seed}"`)

process.stdout.write(`fuzz of the ingest for ${seconds} s, seed ${seed}\n`)
const { faults, requests, statuses, slowestMs, memory } = await fuzzIngest({ seconds, seed })
const { firstBytes, lastBytes, share } = growthOf(memory, requests / 4)
// In the first minute memory still grows to its normal size.
const isFlat = seconds < 60 || share <= maxGrowth
for (const fault of faults) process.stdout.write(`${fault}\n`)
const answered = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} times ${status}`)
process.stdout.write(
  `${requests} requests: ${answered.join(', ')}; slowest ${Math.round(slowestMs)} ms; ` +
    `memory ${mebi(firstBytes)} to ${mebi(lastBytes)} (${(share * 100).toFixed(1)} %${isFlat ? '' : ', grows'}); ` +
    `${faults.length} faults\n`,
)
process.exit(faults.length === 0 && isFlat ? 0 : 1)

function mebi(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}

function refuse(message: string): never {
  process.stderr.write(`fuzz: ${message}\n`)
  process.exit(2)
}
