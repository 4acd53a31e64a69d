/**
 * `pnpm mutate`: puts one bug at a time into a copy of the sources, and checks whether a test of its area fails.
 * In: --only PATH, --sample N, --seed N. Out: each bug that no test noticed, and the share that tests noticed. Exit code 1
 * when the tests fail without a bug.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aSeed, createRandom } from '../e2e/soak/random.ts'
import { copyRepository } from './copy-repository.ts'
import { createAreaTests, mutatedFolders } from './mutate/area-tests.ts'
import { listMutants, type Mutant } from './mutate/mutants.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, sample: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? aSeed())
const sample = Number(values.sample ?? Number.POSITIVE_INFINITY)
if (!Number.isInteger(seed)) refuse(`--seed must be a whole number, got "${values.seed}"`)
if (!(sample >= 1)) refuse(`--sample must be at least 1, got "${values.sample}"`)

const found = mutatedFolders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
  .filter((path) => path.startsWith(values.only ?? ''))
  .sort()
  .flatMap((path) => listMutants(path, readFileSync(path, 'utf8')))
if (found.length === 0) refuse(`--only must be a file or folder in ${mutatedFolders.join(', ')}; got "${values.only}"`)
const mutants = choose(found, sample)
print(`${mutants.length} of ${found.length} mutants, seed ${seed}`)

const copy = copyRepository(process.cwd(), 'mutate')
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const tests = createAreaTests(copy)
const survivors: Mutant[] = []
for (const [index, mutant] of mutants.entries()) {
  const isNoticed = await notices(mutant)
  if (!isNoticed) survivors.push(mutant)
  print(`${index + 1} ${isNoticed ? 'noticed' : 'SURVIVED'} ${toLine(mutant)}`)
}
print(`\n${survivors.length} survived:`)
for (const survivor of survivors) print(toLine(survivor))
const noticed = mutants.length - survivors.length
print(`score ${(noticed / mutants.length).toFixed(3)}: ${noticed} of ${mutants.length} noticed, seed ${seed}`)
process.exit(0)

async function notices(mutant: Mutant): Promise<boolean> {
  const file = join(copy, mutant.path)
  const text = readFileSync(file, 'utf8')
  for (const step of tests.stepsOf(mutant.path)) {
    if (!(await tests.passWithoutMutant(step))) {
      print(`The tests fail without a mutant: ${step.join(' ')}`)
      process.exit(1)
    }
    writeFileSync(file, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end))
    const passed = await tests.pass(step)
    writeFileSync(file, text)
    if (!passed) return true
  }
  return false
}

/** A random part in the order of the sources, so that the seed repeats it. */
function choose(all: Mutant[], count: number): Mutant[] {
  const random = createRandom(seed)
  const drawn = all.map((mutant) => ({ mutant, at: random.next() })).sort((a, b) => a.at - b.at)
  const chosen = new Set(drawn.slice(0, count).map(({ mutant }) => mutant))
  return all.filter((mutant) => chosen.has(mutant))
}

function toLine({ path, line, from, replacement }: Mutant): string {
  const short = (text: string) => (text.length > 90 ? `${text.slice(0, 90)}…` : text).replaceAll(/\s+/g, ' ')
  return `${path}:${line}  ${short(from)}  →  ${short(replacement) || '(nothing)'}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function refuse(message: string): never {
  process.stderr.write(`mutate: ${message}\n`)
  process.exit(2)
}
