/**
 * Tools and permissions that some tests need.
 * In: the name of the requirement, and what is tested with it. Out: vitest's `test` or `describe`, which is skipped
 * with one line of output if the requirement is missing; with TEST_REQUIRE_ALL the tests run and fail.
 */
import { spawnSync } from 'node:child_process'
import { describe, test } from 'vitest'
import { fakeTimeLibrary } from './fake-time.ts'
import { redisBinary } from './redis-process.ts'

const parts = {
  'redis-server': () => runs(redisBinary, '--version'),
  curl: () => runs('curl', '--version'),
  python3: () => runs('python3', '--version'),
  zsh: () => runs('zsh', '--version'),
  fish: () => runs('fish', '--version'),
  // strace may be installed in a container that forbids tracing.
  strace: () => runs('strace', '-o', '/dev/null', 'true'),
  faketime: () => fakeTimeLibrary() !== undefined,
  'a network namespace': () =>
    process.getuid?.() === 0 &&
    runs('unshare', '--net', '--pid', '--fork', '--mount-proc', 'ip', 'link', 'set', 'lo', 'up'),
  'a pseudo-terminal': () => runs('script', '--quiet', '--return', '--command', 'stty cols 120', '/dev/null'),
  'the package registry': () =>
    runs('npm', 'view', 'openapi-fetch', 'version', '--fetch-retries=0', '--fetch-timeout=10000'),
  'mounting as root': () => process.getuid?.() === 0 && runs('unshare', '--mount', 'true'),
} satisfies Record<string, () => boolean>

export type Part = keyof typeof parts

const isRequired = process.env.TEST_REQUIRE_ALL === '1'
const told = new Set<string>()

export function testWith(part: Part, what: string) {
  return test.skipIf(isMissing(part, what))
}

export function describeWith(part: Part, what: string) {
  return describe.skipIf(isMissing(part, what))
}

function isMissing(part: Part, what: string): boolean {
  if (isRequired || parts[part]()) return false
  const line = `${part} is not available: ${what} is not tested\n`
  if (!told.has(line)) process.stderr.write(line)
  told.add(line)
  return true
}

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}
