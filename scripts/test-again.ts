/**
 * `pnpm test:again N [--journeys] [FILTER…]`: how often each test fails on a busy machine.
 * In: how often to run; `--journeys` for all of `e2e/`, else what `pnpm test` runs; parts of file names. Out: a line
 * per run, a table of what failed and how often, and the exit status 1 if anything did. Beside the tests run the demo
 * of `pnpm start` and, on each core, a process that spins. What a run leaves behind counts as a failure: processes, and
 * files in its temporary directory.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { aServerLocation, type DemoProcess, startDemo } from '../e2e/parts/server-process.ts'
import { findProcesses, killProcess } from '../testing/processes.ts'

interface Report {
  numTotalTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const { values, positionals } = parseArgs({
  options: { journeys: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [count = '5', ...filters] = positionals
const runs = Number(count)
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('pnpm test:again N [--journeys] [FILTER…]: N is the number of runs, 1 or more\n')
  process.exit(2)
}
const projects = values.journeys ? ['--project', 'core', '--project', 'journeys'] : ['--project', '!journeys']
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'posrep-test-again-'))
/** What is closing may take a moment. */
const looks = 50
const betweenLooksMs = 100
/** What failed → the numbers of the runs, and what the first failure said. */
const failures = new Map<string, { runs: number[]; said: string }>()

const location = await aServerLocation()
const demo = await startDemo(location)
try {
  await demo.line(/relayed +[1-9]/)
  for (let run = 1; run <= runs; run++) {
    const startedAtMs = performance.now()
    const { tests, failed, left } = await runOnce(run, demo)
    for (const [name, said] of failed) {
      const known = failures.get(name) ?? { runs: [], said }
      known.runs.push(run)
      failures.set(name, known)
    }
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    process.stdout.write(
      `run ${run} of ${runs}: ${tests} tests, ${failed.size} failures, ${left} left behind, ${seconds} s\n`,
    )
  }
} finally {
  await demo.stop()
  await location.remove()
}

process.stdout.write(`\n| failed | in runs | what | said |\n| ------ | ------- | ---- | ---- |\n`)
const byCount = [...failures].sort(([, a], [, b]) => b.runs.length - a.runs.length)
for (const [name, { runs: inRuns, said }] of byCount) {
  process.stdout.write(`| ${inRuns.length} of ${runs} | ${inRuns.join(', ')} | ${name} | ${toCell(said)} |\n`)
}
if (failures.size === 0) process.stdout.write(`| 0 of ${runs} | | nothing | |\n`)
process.stdout.write(`\nThe output of each run is in ${folder}\n`)
process.exitCode = failures.size > 0 ? 1 : 0

interface Outcome {
  tests: number
  /** What failed, with what it said. Also an error outside of a test, and what the run left behind. */
  failed: Map<string, string>
  /** How many processes and files the run left behind. */
  left: number
}

async function runOnce(run: number, demo: DemoProcess): Promise<Outcome> {
  const [file, log] = [join(folder, `run-${run}.json`), createWriteStream(join(folder, `run-${run}.log`))]
  const spinners = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`]
  // Also in the environment of each process of this run. A short path: sockets are created below it, and the path of a
  // socket has at most 107 characters.
  const temporary = mkdtempSync(join(tmpdir(), 'again-'))
  const vitest = spawn('vitest', ['run', ...projects, ...reporters, ...filters], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  })
  vitest.stdout.pipe(log, { end: false })
  vitest.stderr.pipe(log, { end: false })
  // Not "close": a process that is left behind may keep the pipes open.
  const [code] = await once(vitest, 'exit')
  await Promise.all(spinners.map(end))
  const failed = new Map<string, string>()
  const report = readReport(file)
  for (const { name, status, message, assertionResults } of report.testResults) {
    const short = name.slice(root.length + 1)
    const own = assertionResults.filter((result) => result.status === 'failed')
    for (const { fullName, failureMessages } of own) failed.set(`${short}: ${fullName}`, failureMessages[0] ?? '')
    if (status === 'failed' && own.length === 0) failed.set(short, message)
  }
  if (code !== 0 && failed.size === 0) failed.set('an error outside of a test', `see run-${run}.log`)
  if (!demo.isRunning()) failed.set('the demo has ended', demo.output().slice(-160))
  const left = await removeLeft(temporary)
  if (left.length > 0) failed.set('something is left behind', left.join('; '))
  return { tests: report.numTotalTests, failed, left: left.length }
}

/** Out: a line for each process and each file that a run left behind, which are then removed. */
async function removeLeft(temporary: string): Promise<string[]> {
  for (let look = 0; findProcesses(temporary, temporary).length > 0 && look < looks; look++) await sleep(betweenLooksMs)
  const processes = findProcesses(temporary, temporary)
  for (const { pid } of processes) killProcess(pid)
  const files = readdirSync(temporary)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 })
  return [...processes.map(({ pid, command }) => `process ${pid}: ${command}`), ...files]
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The run ended before it wrote one; its exit code counts as a failure.
    return { numTotalTests: 0, testResults: [] }
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function toCell(text: string): string {
  const [line = ''] = text.split('\n')
  return line.slice(0, 160).replaceAll('|', '\\|')
}
