import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { aTestService, json, pairedTokens, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
let service: TestService

beforeEach(async () => {
  service = await aTestService()
})
afterEach(() => service.stop())

test('pair says where to press Pair, waits, and keeps the identity for run', async () => {
  let asked = 0
  const { pair } = service
  service.pair = (response) => {
    asked += 1
    if (asked === 1)
      json(response, 404, { type: 'urn:problem:pairing_not_found', title: 'No pairing request', status: 404 })
    else pair(response)
  }

  const paired = await service.agent(['pair', '--ui', 'https://portal.example'])
  const run = await service.agent(['run', '--stdin'], { client: false, input: JSON.stringify(aPosition(1)) })

  expect(paired.stderr).toContain('https://portal.example/pairing/start?clientUniqueId=roof1')
  expect([paired.code, paired.stdout]).toEqual([0, 'paired as urn:aa:device:acme:roof1\n'])
  expect([run.code, service.bodies.length, asked]).toEqual([0, 1, 2])
  const identity = join(service.state, 'identity.json')
  expect(await readFile(identity, 'utf8')).toContain('paired-access')
  expect((await stat(identity)).mode & 0o777).toBe(0o600)
  expect(paired.stderr + run.stderr).not.toMatch(/paired-access|paired-refresh/)
})

test('a second pair says who this is already, and asks nobody', async () => {
  await service.agent(['pair'])

  const again = await service.agent(['pair'])

  expect([again.code, again.stdout, again.stderr]).toEqual([0, 'already paired as urn:aa:device:acme:roof1\n', ''])
  expect(service.pairings).toBe(1)
})

test('a pair after the identity was revoked pairs again', async () => {
  const claims = Buffer.from(JSON.stringify({ client_id: 'fleet', iss: service.origin })).toString('base64url')
  const { pair } = service
  service.pair = (response) => json(response, 200, { ...pairedTokens, accessToken: `e30.${claims}.c2ln` })
  await service.agent(['pair'])
  service.answer = (response) => json(response, 401, {})
  service.pair = pair

  const again = await service.agent(['pair'])

  expect(again.stderr).toMatch(/no longer accepts urn:aa:device:acme:roof1.*\n.*press Pair/)
  expect([again.code, again.stdout, service.pairings]).toEqual([0, 'paired as urn:aa:device:acme:roof1\n', 2])
})

test('a pair that cannot check the identity says so and keeps it', async () => {
  await service.agent(['pair'])
  service.answer = (response) => response.writeHead(503).end()

  const again = await service.agent(['pair'])

  expect([again.code, again.stderr]).toEqual([4, expect.stringMatching(/paired as urn:.*cannot be checked: .*503/)])
  expect(await readFile(join(service.state, 'identity.json'), 'utf8')).toContain('paired-access')
})

test('an identity of another sensor is named before anything is sent: by pair, run and doctor', async () => {
  await service.agent(['pair'])

  for (const command of ['pair', 'run', 'doctor']) {
    const more = command === 'run' ? ['--stdin'] : []
    const call = { client: false, input: JSON.stringify(aPosition(1)) }
    const { code, stdout, stderr } = await service.agent([command, '--sensor', 'roof2', ...more], call)

    expect(stdout + stderr).toMatch(/paired as urn:aa:device:acme:roof1, not as "roof2"/)
    expect(code).toBe(command === 'doctor' ? 1 : 2)
  }
  expect(service.bodies.filter((body) => body.includes('sourceTimeStamp'))).toEqual([])
})

test('run tells why it cannot be paired', async () => {
  const run = service.start(['run', '--stdin', '--ingest', 'https://127.0.0.1:59'], { client: false })
  onTestFinished(() => void run.process.kill('SIGKILL'))
  run.process.stdin?.write(`${JSON.stringify(aPosition(1))}\n`)

  await vi.waitUntil(() => run.stderr().includes('it cannot be paired: '))

  expect(run.stderr()).toMatch(/press Pair at.*\n.*it cannot be paired: .*ECONNREFUSED.*check the port/)
})

test('nobody presses Pair: the end says what to check, and the exit status is 3', async () => {
  service.pair = (response) => json(response, 404, {})

  const { code, stderr } = await service.agent(['pair', '--timeout-seconds', '1'])

  expect(stderr).toMatch(/nobody pressed Pair for "roof1".*exactly this local ID/)
  expect(code).toBe(3)
})

test('no service: the end says why, and the exit status is 4', async () => {
  const { code, stderr } = await service.agent(['pair', '--ingest', 'https://127.0.0.1:59', '--timeout-seconds', '1'])

  expect(stderr).toMatch(/cannot be reached: connect ECONNREFUSED.*check the port/)
  expect(code).toBe(4)
})

test('a local ID that the service refuses ends with 3', async () => {
  service.pair = (response) =>
    json(response, 400, { type: 'urn:problem:x', title: 'Invalid local ID', status: 400, code: 'x' })

  expect(await service.agent(['pair', '--json'])).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/"event":"waiting".*\n.*"code":"pairing_denied"/),
  })
})

test('a file that is no identity is not imported, pair replaces a damaged one, and an identity is not replaced by another', async () => {
  const state = ['--state-dir', service.state]
  const other = join(service.folder, 'other.json')
  await service.agent(['pair'])
  await service.agent(['identity', 'export', other, ...state])
  await writeFile(other, (await readFile(other, 'utf8')).replace('acme:roof1', 'acme:roof2'))

  const replaced = await service.agent(['identity', 'import', other, ...state])
  expect([replaced.code, replaced.stderr]).toEqual([
    2,
    expect.stringMatching(/acme:roof1 already; run .* identity reset/),
  ])

  await writeFile(join(service.state, 'identity.json'), '{"accessTok')
  expect(await service.agent(['pair'])).toMatchObject({
    code: 0,
    stdout: 'paired as urn:aa:device:acme:roof1\n',
    stderr: expect.stringMatching(/is damaged; it is removed/),
  })
  await writeFile(other, 'nonsense')
  expect((await service.agent(['identity', 'import', other, ...state])).code).toBe(2)
  await service.agent(['identity', 'reset', ...state])
})

test('a page in place of the service is not taken for nobody having pressed Pair', async () => {
  service.pair = (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')

  const { code, stderr } = await service.agent(['pair', '--timeout-seconds', '1'])

  expect(code).toBe(4)
  expect(stderr).toMatch(/Not paired: .*answered 404 with text\/html, which is no answer of the service/)
})

test('a state folder that is a file ends with 5', async () => {
  const file = join(service.folder, 'a-file')
  await writeFile(file, '')

  expect((await service.agent(['status', '--state-dir', file])).code).toBe(5)
})

test('an identity is exported, forgotten and imported', async () => {
  const file = join(service.folder, 'moved.json')
  const state = ['--state-dir', service.state]
  await service.agent(['pair'])

  expect((await service.agent(['identity', 'export', file, ...state])).code).toBe(0)
  expect((await service.agent(['identity', 'reset', ...state])).code).toBe(0)
  expect((await service.agent(['identity', 'export', file, ...state])).code).toBe(3)
  const imported = await service.agent(['identity', 'import', file, ...state, '--json'])

  expect(imported.stdout).toBe('{"sensorId":"urn:aa:device:acme:roof1"}\n')
  const run = await service.agent(['run', '--stdin'], { client: false, input: JSON.stringify(aPosition(1)) })
  expect([run.code, service.pairings]).toEqual([0, 1])
})
