/**
 * `pnpm fuzz`: sends valid and broken reports in every encoding over HTTP to a built server.
 * `pnpm fuzz --receiver`: sends hostile relay messages into the core of the relay receiver.
 * `pnpm fuzz --sources`: sends broken input of receivers into the sources of the sensor agent.
 * In: --seconds N, --seed N; with --receiver and --sources --requests N. Out: the statuses of the answers, or what
 * became of the input. Exit code 1 for a wrong or late answer, a 5xx, growing memory, or a fault of a source.
 */
import { parseArgs } from 'node:util'
import { fuzzIngest } from '../e2e/fuzz/fuzz-ingest.ts'
import { fuzzReceiver } from '../e2e/fuzz/fuzz-receiver.ts'
import { fuzzSources } from '../e2e/fuzz/fuzz-sources.ts'
import { fuzzPush } from '../e2e/fuzz/push/fuzz-push.ts'
import { aSeed } from '../e2e/soak/random.ts'
import { growthOf, type Sample } from '../e2e/soak/resident-memory.ts'

/** Largest relative growth of memory from the first to the last third, after a quarter of the requests. */
const maxGrowth = 0.25

const { values } = parseArgs({
  options: {
    receiver: { type: 'boolean', default: false },
    sources: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
  },
})
const seconds = toSeconds(values.seconds ?? (values.receiver ? '86400' : '60'))
const count = Number(values.requests)
const seed = Number(values.seed ?? aSeed())
if (!(Number.isInteger(count) && count >= 1_000)) refuse(`--requests must be at least 1000, got "${values.requests}"`)
if (!Number.isInteger(seed)) refuse(`--seed must be a whole number, got "${values.seed}"`)

const run = values.sources ? runSources : values.receiver ? runReceiver : runIngest
process.exit((await run()) ? 0 : 1)

async function runIngest(): Promise<boolean> {
  process.stdout.write(`fuzz of the ingest for ${seconds} s, seed ${seed}\n`)
  const result = await fuzzIngest({ seconds, deadlineMs: 5_000, seed })
  // In the first minute memory still grows to its normal size.
  return report(result, { counts: seconds >= 60, more: `slowest ${Math.round(result.slowestMs)} ms; ` })
}

async function runReceiver(): Promise<boolean> {
  process.stdout.write(`fuzz of the relay receiver with ${count} requests, seed ${seed}\n`)
  return report(await fuzzReceiver({ requests: count, seconds, seed }), { counts: true })
}

/** In rounds, each with a seed of its own, so that the memory does not grow with their number. */
async function runSources(): Promise<boolean> {
  process.stdout.write(`fuzz of the agent's sources with ${count} inputs, seed ${seed}\n`)
  const perSource = 1_000
  const sums = { inputs: 0, positions: 0, unusable: 0 }
  const faults: string[] = []
  for (let round = 0; sums.inputs < count && faults.length === 0; round += 1) {
    for (const fuzz of [fuzzSources, fuzzPush]) {
      const result = await fuzz({ inputs: perSource, seed: seed + round })
      sums.inputs += result.inputs
      sums.positions += result.positions
      sums.unusable += result.unusable
      faults.push(...result.faults)
    }
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(
    `${sums.inputs} inputs: ${sums.positions} positions, ${sums.unusable} unusable; ${faults.length} faults\n`,
  )
  return faults.length === 0
}

interface Result {
  requests: number
  statuses: Map<number, number>
  memory: Sample[]
  faults: string[]
}

/** @param counts Whether growing memory is a fault. @returns Whether the run had no fault. */
function report(
  { requests, statuses, memory, faults }: Result,
  { counts, more = '' }: { counts: boolean; more?: string },
): boolean {
  const { firstBytes, lastBytes, share } = growthOf(memory, requests / 4)
  const isFlat = !counts || share <= maxGrowth
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  const answered = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} times ${status}`)
  process.stdout.write(
    `${requests} requests: ${answered.join(', ')}; ${more}` +
      `memory ${mebi(firstBytes)} to ${mebi(lastBytes)} (${(share * 100).toFixed(1)} %${isFlat ? '' : ', grows'}); ` +
      `${faults.length} faults\n`,
  )
  return faults.length === 0 && isFlat
}

function toSeconds(text: string): number {
  const value = Number(text)
  if (value >= 5 && value <= 86_400) return value
  return refuse(`--seconds must be from 5 to 86400, got "${text}"`)
}

function mebi(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}

function refuse(message: string): never {
  process.stderr.write(`fuzz: ${message}\n`)
  process.exit(2)
}
