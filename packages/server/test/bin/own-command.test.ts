import { expect, test } from 'vitest'
import { toArgument, toOwnCommand } from '../../src/bin/own-command.ts'

const execPath = '/usr/bin/node'

test.each([
  ['installed in a project', '/home/ann/project/node_modules/.bin/posrep-server', 'npx posrep-server'],
  ['on Windows', 'C:\\project\\node_modules\\@posrep\\server\\dist\\bin\\serve.js', 'npx posrep-server'],
  ['run by npx alone', '/home/ann/.npm/_npx/1f/node_modules/.bin/posrep-server', 'npx @posrep/server'],
  ['installed for all projects', '/usr/local/bin/posrep-server', 'posrep-server'],
  [
    'run from the repository',
    '/home/ann/project/packages/server/dist/bin/serve.js',
    'node packages/server/dist/bin/serve.js',
  ],
  ['run from beside its file', '/home/ann/project/serve.js', 'node ./serve.js'],
  ['in a folder with a space', '/home/ann/project/my server/serve.js', 'node "my server/serve.js"'],
])('the command that is shown works where the program is %s', (_where, program, command) => {
  expect(toOwnCommand({ program, folder: '/home/ann/project', execPath })).toBe(command)
})

test('a single executable is its own command', () => {
  const program = '/home/ann/project/posrep'
  expect(toOwnCommand({ program, folder: '/home/ann/project', execPath: program })).toBe('./posrep')
})

test('an argument with a space is quoted', () => {
  expect([toArgument('.posrep'), toArgument('my data')]).toEqual(['.posrep', '"my data"'])
})
