/** The command line itself: help, completion, questions on a terminal, the first start. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { testWith } from '../parts/requirements.ts'
import {
  aServerLocation,
  ownProgram,
  type Program,
  programOf,
  runToEnd,
  type ServerLocation,
  type ServerProcess,
  startAtTerminal,
  startServer,
  startShell,
} from '../parts/server-process.ts'

test('the help of serve shows the settings in groups', async () => {
  const { code, stdout } = await runToEnd(['serve', '--help'])
  const titles = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
  expect([code, titles.slice(0, 3)]).toEqual([0, ['Network:', 'Storage and processes:', 'Origins and TLS:']])
  expect(stdout).toMatch(/^Relays:\n {2}--allow-private-relays/m)
})

test.each(['posrep-server', 'posrep-agent', 'posrep-relay'] as const)(
  'the help of every command of %s fits into 80 columns, and that of the program ends with examples',
  async (name) => {
    const helps = new Map<string, string>()
    await readHelp(name, [], helps)
    const tooLong = [...helps].flatMap(([command, help]) =>
      help.split('\n').flatMap((line) => (line.length > 80 ? [`${command}: ${line}`] : [])),
    )
    expect(helps.size).toBeGreaterThan(3)
    expect(tooLong).toEqual([])
    expect(helps.get('')).toMatch(new RegExp(`\nExamples:\n( {2}${name} .*\n)+$`))
    // Defaults and variables are said in one form.
    expect([...helps.values()].join('')).not.toMatch(/\(default: "|\(env: |; default: /)
  },
)

/** Of a command, and of those below it. */
async function readHelp(name: Program, command: string[], helps: Map<string, string>): Promise<void> {
  const { stdout } = await promisify(execFile)(programOf(name), [...command, '--help'])
  helps.set(command.join(' '), stdout)
  const lists = stdout.matchAll(/^(?:Commands|Administration.*):\n((?: {2}.*\n)+)/gm)
  const names = [...lists].flatMap(([, list = '']) =>
    [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, one = '']) => one),
  )
  // One after the other: each is a process.
  for (const one of names) if (one !== 'help') await readHelp(name, [...command, one], helps)
}

test('a Node.js that is too old is named in one sentence', async () => {
  const old = 'data:text/javascript,Object.defineProperty(process,`versions`,{value:{node:`24.2.0`}})'
  const { code, stdout, stderr } = await runToEnd(['users', 'list'], { NODE_OPTIONS: `--import=${old}` })
  expect([code, stdout, stderr]).toEqual([2, '', 'posrep-server: Node.js >=24.15 is needed, and this is 24.2.0\n'])
})

test('an option before the command of a group is answered with the commands of the group', async () => {
  const { code, stderr } = await runToEnd(['devices', 'relay', '--data-dir', '/data'])
  expect([code, stderr]).toEqual([2, 'posrep-server: "relay" needs a command before --data-dir: show, test, set\n'])
})

describe('completion', () => {
  const cases: Record<string, string[]> = {
    'posrep-server acc': ['accounts'],
    'posrep-server devices relay ': ['show', 'test', 'set', 'help'],
    'posrep-server devices relay set roof1 --all': ['--allow-private-relays'],
    'posrep-server --relay-p': ['--relay-ports'],
    'posrep-server users --data-dir /data rem': ['remove'],
  }

  for (const [typed, offered] of Object.entries(cases)) {
    test(`in bash offers ${offered.join(', ')} after "${typed}"`, async () => {
      const words = typed.split(' ').map((word) => `'${word}'`)
      const shell = startShell(
        `eval "$('${ownProgram}' completion bash)"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _posrep_server; echo "\${COMPREPLY[@]}"`,
      )
      expect(await shell.exited).toBe(0)
      expect(shell.output()).toBe(`${offered.join(' ')}\n`)
    })

    testWith('zsh', 'completion in zsh')(`in zsh offers the same after "${typed}"`, async () => {
      const words = typed.split(' ').map((word) => `"${word}"`)
      const shell = startShell(
        `zsh -fc 'autoload -U compinit && compinit -u -D; eval "$("${ownProgram}" completion zsh)"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; compgen -F _posrep_server -- ${words.at(-1)}'`,
      )
      expect(await shell.exited).toBe(0)
      expect(shell.output().trim().split('\n').toSorted()).toEqual(offered.toSorted())
    })

    testWith('fish', 'completion in fish')(`in fish offers the same after "${typed}"`, async () => {
      const shell = startShell(`fish -Nc '"${ownProgram}" completion fish | source; complete -C "${typed}"'`)
      expect(await shell.exited).toBe(0)
      expect(shell.output().trim().split('\n').toSorted()).toEqual(offered.toSorted())
    })
  }
})

describe('beside a server', () => {
  let location: ServerLocation
  let server: ServerProcess
  const data = () => ['--data-dir', join(location.folder, 'data')]

  beforeAll(async () => {
    location = await aServerLocation()
    server = await startServer(location)
  })

  afterAll(async () => {
    await server.stop()
    await location.remove()
  })

  async function accounts(): Promise<string[]> {
    const { stdout } = await runToEnd(['accounts', 'list', '--json', ...data()])
    return JSON.parse(stdout).map(({ id }: { id: string }) => id)
  }

  test('a command that the log of a start without users shows can be pasted', async () => {
    const lines = server.output().trim().split('\n')
    const [addAccount, addUser]: string[] = lines.flatMap((line) => JSON.parse(line).run ?? [])
    expect(addUser).toContain(' users add pilot@example.com --account acme --data-dir ')
    const shell = startShell(addAccount ?? '')
    expect([await shell.exited, shell.output()]).toEqual([0, 'Added the account "acme"\n'])
  })

  test('a client with http on loopback needs a flag, and is told that the server needs it too', async () => {
    await runToEnd(['accounts', 'add', 'apps', ...data()])
    const add = [
      'clients',
      'add',
      'my-app',
      '--account',
      'apps',
      '--public',
      '--redirect-uri',
      'http://127.0.0.1:8765/cb',
    ]
    const refused = await runToEnd([...add, ...data()])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('needs --allow-loopback-redirects\n')])
    const { code, stdout } = await runToEnd([...add, '--allow-loopback-redirects', ...data()])
    expect([code, stdout]).toEqual([
      0,
      'Added the client "my-app" to the account "apps"; start the server with --allow-loopback-redirects, too\n',
    ])
  })

  const testAtTerminal = testWith('a pseudo-terminal', 'confirmation on a terminal')

  testAtTerminal('a removal is asked for on a terminal, and "n" leaves all as it was', async () => {
    await runToEnd(['accounts', 'add', 'kept', ...data()])
    const removal = startAtTerminal(['accounts', 'remove', 'kept', ...data()])
    await until('it asks', () => removal.output().includes('Remove the account "kept"?'))
    removal.type('n')
    expect(await removal.exited).toBe(1)
    expect(removal.output()).toContain('posrep-server: Nothing was changed')
    expect(await accounts()).toContain('kept')
  })

  testAtTerminal('a removal to which a person says "y" is done', async () => {
    await runToEnd(['accounts', 'add', 'gone', ...data()])
    const removal = startAtTerminal(['accounts', 'remove', 'gone', ...data()])
    await until('it asks', () => removal.output().includes('Remove the account "gone"?'))
    removal.type('y')
    expect(await removal.exited).toBe(0)
    expect(await accounts()).not.toContain('gone')
  })

  testAtTerminal('with --yes nothing is asked on a terminal', async () => {
    await runToEnd(['accounts', 'add', 'hasty', ...data()])
    const removal = startAtTerminal(['accounts', 'remove', 'hasty', '--yes', ...data()])
    expect(await removal.exited).toBe(0)
    expect(removal.output().trim()).toBe('Removed the account "hasty"')
  })

  test('without a terminal nothing is asked', async () => {
    await runToEnd(['accounts', 'add', 'scripted', ...data()])
    const { code, stdout } = await runToEnd(['accounts', 'remove', 'scripted', ...data()])
    expect([code, stdout]).toEqual([0, 'Removed the account "scripted"\n'])
  })
})
