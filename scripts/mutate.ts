/**
 * `pnpm mutate`: puts one bug at a time into a copy of the sources, and checks whether a test of its area fails.
 * In: --only PATH, --sample N, --seed N, --near. Out: each bug that no test noticed, and the share that tests noticed;
 * Ctrl-C ends it with the results so far. Exit code 1 when the tests fail without a bug.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aSeed, createRandom } from '../e2e/soak/random.ts'
import { copyRepository } from './copy-repository.ts'
import { createAreaTests, mutatedFolders } from './mutate/area-tests.ts'
import { listMutants, type Mutant } from './mutate/mutants.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    near: { type: 'boolean', default: false },
  },
})
/** The tests of the same name, and those of the folder. */
const nearSteps = 2
const seed = Number(values.seed ?? aSeed())
const sample = Number(values.sample ?? Number.POSITIVE_INFINITY)
if (!Number.isInteger(seed)) refuse(`--seed must be a whole number, got "${values.seed}"`)
if (!(sample >= 1)) refuse(`--sample must be at least 1, got "${values.sample}"`)

const found = mutatedFolders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
  // A contract is a test suite.
  .filter((path) => path.startsWith(values.only ?? '') && !path.endsWith('-contract.ts'))
  .sort()
  .flatMap((path) => listMutants(path, readFileSync(path, 'utf8')))
if (found.length === 0) refuse(`--only must be a file or folder in ${mutatedFolders.join(', ')}; got "${values.only}"`)
const mutants = draw(found).slice(0, sample)
print(`${mutants.length} of ${found.length} mutants, seed ${seed}`)

const copy = copyRepository(process.cwd(), 'mutate')
const tests = createAreaTests(copy)
const survivors: Mutant[] = []
let tried = 0
process.on('exit', () => {
  tests.stop()
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
for (const mutant of mutants) {
  const isNoticed = await notices(mutant)
  if (!isNoticed) survivors.push(mutant)
  print(`${++tried} ${isNoticed ? 'noticed' : 'SURVIVED'} ${toLine(mutant)}`)
}
end()

function end(): never {
  print(`\n${survivors.length} survived:`)
  for (const survivor of survivors) print(toLine(survivor))
  const noticed = tried - survivors.length
  print(`score ${(noticed / tried).toFixed(3)}: ${noticed} of ${tried} noticed, seed ${seed}`)
  process.exit(0)
}

async function notices(mutant: Mutant): Promise<boolean> {
  const file = join(copy, mutant.path)
  const text = readFileSync(file, 'utf8')
  for (const step of tests.stepsOf(mutant.path).slice(0, values.near ? nearSteps : undefined)) {
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

/** A random order, which the seed repeats: any beginning of it is a fair sample. */
function draw(all: Mutant[]): Mutant[] {
  const random = createRandom(seed)
  return all
    .map((mutant) => ({ mutant, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant)
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
