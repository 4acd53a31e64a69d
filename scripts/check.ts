/**
 * `pnpm check`: every gate, one after the other, also after one has failed.
 * Out: a line per gate with its time, what a failed one printed, and a last line "N passed, N failed".
 */
import { spawnSync } from 'node:child_process'

interface Gate {
  name: string
  command: string[]
}

const gates: Gate[] = [
  { name: 'generated code is fresh', command: ['node', 'scripts/check-generated.ts'] },
  { name: 'types', command: ['pnpm', 'typecheck'] },
  { name: 'document and code lint', command: ['pnpm', 'lint'] },
  { name: 'arrows', command: ['pnpm', 'arrows'] },
  { name: 'nothing unused', command: ['pnpm', 'unused'] },
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
