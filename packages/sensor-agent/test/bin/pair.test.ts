import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aTestService, json, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 })

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

test('a file that is no identity is neither imported nor used, and an identity is not replaced by another', async () => {
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
    code: 3,
    stderr: expect.stringMatching(/delete it and pair again/),
  })
  await writeFile(other, 'nonsense')
  expect((await service.agent(['identity', 'import', other, ...state])).code).toBe(2)
  await service.agent(['identity', 'reset', ...state])
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
