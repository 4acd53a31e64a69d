import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aTestService, bin, efhk, secret, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
const input = JSON.stringify(aPosition(1))
let service: TestService

beforeAll(async () => {
  service = await aTestService()
})
afterAll(() => service.stop())

test('a PEM file with a certificate is accepted as the CA', async () => {
  const ca = fileURLToPath(new URL('../fixtures/ca.pem', import.meta.url))

  expect((await service.agent(['run', '--stdin', '--ca', ca], { input })).code).toBe(0)
})

test('each setting is read from the file, the environment and the flags; the later one wins', async () => {
  const config = join(service.folder, 'config.json')
  const settings = {
    ingest: service.origin,
    sensor: 'file',
    clientId: 'other',
    stdin: true,
    stateDir: service.state,
    spoolMegabytes: 16,
  }
  await writeFile(config, JSON.stringify(settings))
  const env = {
    POSREP_AGENT_CONFIG: config,
    POSREP_AGENT_SENSOR: 'environment',
    POSREP_AGENT_CLIENT_ID: 'fleet',
    POSREP_AGENT_CLIENT_SECRET: secret,
  }

  service.bodies.length = 0
  const { code } = await service.agent(['run', '--sensor', 'flag'], { env, client: false, service: false, input })

  expect(code).toBe(0)
  expect(service.bodies[0]).toContain('"sensor":{"id":"flag"}')
})

test('config check shows the settings without secrets, and connects to nothing', async () => {
  const { code, stdout } = await service.agent(['config', 'check', '--stdin'])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^the settings are right\n/)
  expect(stdout).toContain('clientSecret: (set)')
  expect(stdout).not.toContain(secret)
})

test.each([
  [
    'no ingest',
    ['run', '--stdin'],
    { service: false },
    /"--ingest" is required: give the flag, the variable POSREP_AGENT_INGEST/,
  ],
  ['no source', ['run'], {}, /there is no source: give --readsb, --sbs/],
  ['an ingest that is not a URL', ['run', '--ingest', 'nowhere'], {}, /"--ingest" must be a URL/],
  ['an ingest over plain HTTP', ['run', '--ingest', 'http://ingest.example'], {}, /"--ingest" must be an https URL/],
  ['an identity provider that is not a URL', ['run', '--auth', 'x'], {}, /"--auth" must be a URL/],
  ['a blank sensor', ['run', '--sensor', '  '], {}, /"--sensor" must not be empty/],
  ['a missing CA file', ['run', '--ca', '/nowhere.pem'], {}, /"--ca" cannot be read: ENOENT/],
  ['a CA file without a certificate', ['run', '--ca', bin], {}, /"--ca" must be a PEM file/],
  ['a missing recording', ['run', '--replay', '/nowhere.sbs'], {}, /"--replay" cannot be read: ENOENT/],
  [
    'a speed of zero',
    ['run', '--replay', efhk, '--speed', '0'],
    {},
    /"--speed" must be a number of 0.001 or more, got "0"/,
  ],
  [
    'a time zone that does not exist',
    ['run', '--replay', efhk, '--time-zone', 'Mars'],
    {},
    /"--time-zone" must be a time zone/,
  ],
  [
    'a receiver without a port',
    ['run', '--sbs', 'localhost'],
    {},
    /"--sbs" must be a port or host:port, got "localhost"/,
  ],
  ['an HTTP source for others without a token', ['run', '--http', '0.0.0.0:0'], {}, /"--http-token" is required/],
  ['a receiver with port 0', ['run', '--sbs', 'localhost:0'], {}, /"--sbs" must have a port of 1-65535/],
  ['a status page nowhere', ['run', '--stdin', '--status', 'x'], {}, /"--status" must be a port or host:port/],
  [
    'a command without its second word',
    ['identity'],
    { service: false },
    /posrep-agent identity needs a command\n\nUsage: posrep-agent identity/,
  ],
  ['a speed of nothing', ['run', '--stdin', '--speed', '2'], {}, /"--speed" is only for "--replay"; give that, too/],
  [
    'a time zone of nothing',
    ['run', '--stdin', '--time-zone', 'UTC'],
    {},
    /"--time-zone" is only for "--replay" or "--sbs"/,
  ],
  ['two readers of standard input', ['run', '--stdin', '--remote-id'], {}, /both read standard input/],
  ['an odd encounter', ['run', '--simulate', 'encounters', '--targets', '3'], {}, /"targets" must be even/],
  [
    'an unknown mode',
    ['run', '--stdin', '--durability', 'none'],
    {},
    /"--durability" must be file or memory-first, got "none"/,
  ],
  [
    'a flag of the environment that is neither',
    ['run'],
    { env: { POSREP_AGENT_STDIN: 'perhaps' } },
    /"POSREP_AGENT_STDIN" must be true or false/,
  ],
  ['an unknown option', ['run', '--readsv', 'x'], {}, /unknown option '--readsv'\n\(Did you mean --readsb\?\)/],
  ['an option like no other', ['run', '--orign', 'x'], {}, /unknown option '--orign'\n\(see posrep-agent run --help\)/],
  ['an unknown command', ['rum'], { service: false, client: false }, /unknown command 'rum'\n\(Did you mean run\?\)/],
])('%s is told, and the exit status is 2', async (_, args, options, message) => {
  const { code, stderr } = await service.agent(args, options)

  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/s3cret/)
  expect(code).toBe(2)
})

test.each([
  ['a key that is not a setting', '{"sensr": "roof1"}', /"sensr" in ".*" is not a setting \(did you mean "sensor"\?\)/],
  ['a value of the wrong type', '{"speed": [1]}', /"speed" in ".*" must be text or a number/],
  ['text for a flag', '{"stdin": "yes"}', /"stdin" in ".*" must be true or false/],
  ['a list', '[]', /"--config" must be a JSON object/],
  ['no JSON', 'sensor: roof1', /"--config" cannot be read/],
])('a settings file with %s is refused', async (_, text, message) => {
  const config = join(service.folder, 'wrong.json')
  await writeFile(config, text)

  const { code, stderr } = await service.agent(['run', '--config', config])

  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

test('a wrong secret does not stop the agent: it tells, and keeps the positions', async () => {
  const child = service.start(['run', '--simulate', 'circles', '--client-secret', 'wr0ng'])
  await vi.waitUntil(() => child.stderr().includes('action required'))
  child.process.kill('SIGTERM')
  const { code, stderr } = await child.ended

  expect(stderr).toMatch(/401 invalid_client.*check client "fleet", its secret and sensor "roof1"/)
  expect(stderr).not.toMatch(/wr0ng/)
  expect(code).toBe(1)
})

test('--help exits with 0, and --version prints the version', async () => {
  expect(await service.agent(['--help'], { service: false, client: false })).toMatchObject({ code: 0, stderr: '' })
  expect((await service.agent(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
