/**
 * `pnpm check`: runs every check, even after one has failed.
 * Out: one line per check with its duration, the output of failed ones, and a last line "N passed, N failed".
 */
import { spawnSync } from 'node:child_process'

interface Gate {
  name: string
  command: string[]
}

const gates: Gate[] = [
  { name: 'generated code is up to date', command: ['node', 'scripts/check-generated.ts'] },
  { name: 'types', command: ['pnpm', 'typecheck'] },
  { name: 'lint of document and code', command: ['pnpm', 'lint'] },
  { name: 'dependency rules', command: ['pnpm', 'arrows'] },
  { name: 'regular expressions', command: ['pnpm', 'expressions'] },
  { name: 'unused code', command: ['pnpm', 'unused'] },
  { name: 'packages', command: ['pnpm', 'packages'] },
  { name: 'sizes', command: ['pnpm', 'size'] },
]

const results = gates.map(run)
const failed = results.filter((passed) => !passed).length
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

function run({ name, command: [program = '', ...args] }: Gate): boolean {
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1' },
  })
  const passed = status === 0
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`)
  if (!passed) process.stdout.write(`${stdout}${stderr}\n`)
  return passed
}
