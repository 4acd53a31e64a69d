/**
 * `pnpm soak --races`: the suite's races of codes and of refresh tokens, for many rounds, on memory, SQLite and Redis.
 * In: --rounds, 1-1000. Out: a line per storage, and exit code 1 when a round broke a promise or a storage was left out.
 * Ctrl-C ends it; each race ends by itself within a minute, and the first one that fails is the last one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { races: { type: 'boolean', default: false }, rounds: { type: 'string', default: '100' } },
})
const rounds = Number(values.rounds)
if (!values.races) refuse('say what to soak: --races')
if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 1_000)) {
  refuse(`--rounds must be a whole number from 1 to 1000, got "${values.rounds}"`)
}

const storages = ['memory', 'sqlite', 'redis']
const kinds = { codes: 'redemptions of one code', 'refresh tokens': 'refreshes with one token' }

interface Race {
  fullName: string
  status: string
}

const races = await runRaces()
const broken = storages.filter((storage) => !tell(storage))
process.exitCode = broken.length === 0 ? 0 : 1

async function runRaces(): Promise<Race[]> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-soak-'))
  const file = join(folder, 'races.json')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'test/identity/races.test.ts']
  const reporters = ['--bail', '1', '--reporter', 'dot', '--reporter', 'json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, [...vitest, ...reporters], {
    // How it goes is for who waits; standard output is the result's.
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, SOAK_ROUNDS: String(rounds), TEST_REQUIRE_ALL: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  await once(child, 'exit')
  // Without a file it was stopped before it came to a result, which is told as no rounds.
  const text = await readFile(file, 'utf8').catch(() => '{"testResults":[]}')
  await rm(folder, { recursive: true })
  const { testResults }: { testResults: { assertionResults: Race[] }[] } = JSON.parse(text)
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

/** Answers whether the storage kept every promise in every round. */
function tell(storage: string): boolean {
  const own = races.filter(({ fullName }) => fullName.includes(`on ${storage} `))
  const counts = Object.entries(kinds).map(([kind, words]) => {
    const kept = own.filter(({ fullName, status }) => fullName.includes(words) && status === 'passed').length
    return { kind, kept }
  })
  const failed = own.filter(({ status }) => status === 'failed').length
  const kept = counts.map(({ kind, kept }) => `${kept} of ${rounds} races of 1,000 for ${kind} kept`).join(', ')
  process.stdout.write(`${storage}: ${kept}; ${failed} violations\n`)
  return failed === 0 && counts.every(({ kept }) => kept === rounds)
}

function refuse(message: string): never {
  process.stderr.write(`soak: ${message}\n`)
  process.exit(2)
}
