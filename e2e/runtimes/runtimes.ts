/**
 * The run-times that the libraries support: the oldest and the current Node, Bun and Deno; and Cloudflare's, which
 * starts no plain program.
 * In: executables `node` (22.12), `bun`, `deno` and `workerd` in the folder RUNTIMES, where `.ci/run` installs them, or
 * the last three in PATH. Out: tests on each, and processes. A test on a missing run-time is skipped with one line;
 * with TEST_REQUIRE_ALL it fails.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'vitest'

export type Runtime = 'Node 22' | 'Node 24' | 'Bun' | 'Deno' | 'Workers'

const folder = process.env.RUNTIMES

/** The command line before the program's file. */
const commands: Record<Runtime, string[]> = {
  'Node 22': [folder ? join(folder, 'node') : 'node22'],
  'Node 24': [process.execPath],
  Bun: [folder ? join(folder, 'bun') : 'bun', 'run'],
  Deno: [folder ? join(folder, 'deno') : 'deno', 'run', '--allow-all', '--quiet'],
  Workers: [folder ? join(folder, 'workerd') : 'workerd', 'serve', '--control-fd=1'],
}

export const runtimes: Runtime[] = ['Node 22', 'Node 24', 'Bun', 'Deno']

const missing = [...runtimes, 'Workers' as const].filter(
  (runtime) => spawnSync(commands[runtime][0] ?? '', ['--version']).status !== 0,
)
if (missing.length > 0)
  process.stderr.write(`${missing.join(', ')}: not installed; not tested there (see e2e/runtimes/runtimes.ts)\n`)

export function testOn(runtime: Runtime) {
  return test.skipIf(missing.includes(runtime) && process.env.TEST_REQUIRE_ALL !== '1')
}

/** Starts a JavaScript file, whose imports are resolved from its folder; for Workers, a configuration. */
export function spawnOn(runtime: Runtime, file: string, options: SpawnOptions = {}): ChildProcess {
  const [command = '', ...args] = commands[runtime]
  if (missing.includes(runtime))
    throw new Error(`TEST_REQUIRE_ALL is set and there is no ${runtime}; see e2e/runtimes/runtimes.ts`)
  return spawn(command, [...args, file], { ...options, env: { ...process.env, ...options.env } })
}
