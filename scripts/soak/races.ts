/**
 * The suite's races of codes and of refresh tokens, for many rounds, on memory, SQLite and Redis.
 * In: rounds. Out: a line per storage; false when a round broke a promise or a storage was left out.
 * Ctrl-C ends it; each race ends by itself within a minute, and the first one that fails is the last one.
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
  const broken = storages.filter((storage) => !tell(storage, races, rounds))
  return broken.length === 0
}

async function runRaces(rounds: number): Promise<Race[]> {
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
function tell(storage: string, races: Race[], rounds: number): boolean {
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
