import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, efhk } from '../support/a-command.ts'

test('Maglev compiles nothing of the command: its threads can keep the process from ending', () => {
  // Compiled on the main thread, so that each compilation ends and is printed.
  const flags = ['--trace-opt', '--no-concurrent-recompilation', '--conditions=@posrep/source']
  const { status, stdout } = spawnSync(process.execPath, [...flags, bin, 'lint', efhk], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  })

  const compilers = stdout
    .split('\n')
    .filter((line) => line.startsWith('[completed compiling ') && line.includes(' readSbsLine '))
    .map((line) => /\(target ([A-Z]+)/.exec(line)?.[1])
  expect(new Set(compilers)).toEqual(new Set(['TURBOFAN']))
  expect(status).toBe(0)
})
