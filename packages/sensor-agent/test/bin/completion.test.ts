import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin } from '../support/a-command.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-completion-'))
  await writeFile(join(folder, 'recording.sbs'), '')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = run(process.execPath, ['--conditions=@posrep/source', bin, 'completion', shell])
    await writeFile(join(folder, shell), stdout)
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** Programs that offer what the shell offers after the words of `$@`, the last of which is not complete. */
const shells: Record<string, string> = {
  bash: `. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _posrep_agent; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `autoload -U compinit && compinit -u -D; . ./zsh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compgen -F _posrep_agent -- "\${@[-1]}"`,
  fish: 'source ./fish; complete -C "$argv"',
}

const cases: [typed: string, offered: string[]][] = [
  ['posrep-agent i', ['identity', 'install-service']],
  ['posrep-agent identity i', ['import']],
  ['posrep-agent identity export --st', ['--state-dir']],
  ['posrep-agent run --re', ['--readsb', '--readsb-login', '--remote-id', '--replay']],
  ['posrep-agent completion z', ['zsh']],
]

/** Not every machine has every shell. */
const missing = Object.keys(shells).filter((shell) => run(shell, ['--version']).error !== undefined)
if (missing.length > 0)
  process.stderr.write(`Not installed: ${missing.join(', ')}; the tests of their completion are skipped\n`)

for (const [shell, program] of Object.entries(shells)) {
  testIn(shell).each(cases)(`${shell} offers after "%s": %j`, (typed, offered) => {
    const { stdout, stderr } = ask(shell, program, typed)

    expect([stdout.trim().split(/\s+/).toSorted(), stderr]).toEqual([offered, ''])
  })
}

testIn('fish')('fish offers files where a value is expected only', () => {
  expect(ask('fish', shells.fish ?? '', 'posrep-agent run --replay rec').stdout).toBe('recording.sbs\n')
  expect(ask('fish', shells.fish ?? '', 'posrep-agent rec').stdout).not.toContain('recording.sbs')
})

test('a shell that is not supported is named', () => {
  const { status, stderr } = run(process.execPath, ['--conditions=@posrep/source', bin, 'completion', 'tcsh'])

  expect(status).toBe(2)
  expect(stderr).toContain('Allowed choices are bash, zsh, fish')
})

/** With TEST_REQUIRE_ALL the tests of a missing shell fail. */
function testIn(shell: string) {
  return test.skipIf(missing.includes(shell) && process.env.TEST_REQUIRE_ALL !== '1')
}

function ask(shell: string, program: string, typed: string) {
  // fish passes no name of the program.
  const words = shell === 'fish' ? [typed] : [shell, ...typed.split(' ')]
  return run(shell, ['-c', program, ...words])
}

function run(command: string, args: string[]) {
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
}
