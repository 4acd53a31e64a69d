/**
 * Repeats the suite's races of codes and refresh tokens on memory, SQLite and Redis.
 * In: the number of rounds. Out: one line per storage; false if a round failed or a storage was skipped.
 * Ctrl-C ends it. Each race takes at most a minute, and the run ends with the first failure.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const storages = ['memory', 'sqlite', 'redis']
const kinds = { codes: 'redemptions of one code', 'refresh tokens': 'refreshes with one token' }

interface Race {
  fullName: string
  status: string
}

export async function soakRaces(rounds: number): Promise<boolean> {
  const races = await runRaces(rounds)
  const broken = storages.filter((storage) => !printResult(storage, races, rounds))
  return broken.length === 0
}

async function runRaces(rounds: number): Promise<Race[]> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-soak-'))
  const file = join(folder, 'races.json')
  const test = 'test/identity/tokens/concurrent-exchanges.test.ts'
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', test]
  const reporters = ['--bail', '1', '--reporter', 'dot', '--reporter', 'json', `--outputFile.json=${file}`]
  const child = spawn(process.execPath, [...vitest, ...reporters], {
    // Progress is printed on standard error, the result on standard output.
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, SOAK_ROUNDS: String(rounds), TEST_REQUIRE_ALL: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  await once(child, 'exit')
  // If the run was stopped, there is no file; then the number of rounds is 0.
  const text = await readFile(file, 'utf8').catch(() => '{"testResults":[]}')
  await rm(folder, { recursive: true })
  const { testResults }: { testResults: { assertionResults: Race[] }[] } = JSON.parse(text)
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

/** Prints the result and returns true if every round passed. */
function printResult(storage: string, races: Race[], rounds: number): boolean {
  const own = races.filter(({ fullName }) => fullName.includes(`on ${storage} `))
  const counts = Object.entries(kinds).map(([kind, words]) => {
    const kept = own.filter(({ fullName, status }) => fullName.includes(words) && status === 'passed').length
    return { kind, kept }
  })
  const failed = own.filter(({ status }) => status === 'failed').length
  const kept = counts.map(({ kind, kept }) => `${kept} of ${rounds} races of 1,000 for ${kind} passed`).join(', ')
  process.stdout.write(`${storage}: ${kept}; ${failed} violations\n`)
  return failed === 0 && counts.every(({ kept }) => kept === rounds)
}
