/** What a person reads while a sensor waits for Pair, and something else than the service answers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../../testing/real-time.ts'
import { aTestService, json, type TestService } from '../support/a-command.ts'

// Each test starts a process or two, and the machine may be busy.
let service: TestService

beforeEach(async () => {
  service = await aTestService()
})
afterEach(() => service.stop())

test('a page in place of the service is an alarm with advice in status, its pages and doctor, until the service answers', async () => {
  const { answer } = service
  service.answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  service.pair = service.answer
  const run = service.start(['run', '--stdin', '--status', '0'], { client: false })
  onTestFinished(() => void run.process.kill('SIGKILL'))
  // Nothing has been reported: a sensor can be paired before it sees anything.
  await until('the page has answered', () => run.stderr().includes('it cannot be paired'))
  const { url } = JSON.parse(await readFile(join(service.state, 'running.json'), 'utf8'))
  const read = (path: string) => fetch(url + path).then((response) => response.text())
  const advice = 'a proxy, captive portal or load balancer may have answered; check the network'

  const status = await service.agent(['status', '--state-dir', service.state])
  expect(status.stdout).toMatch(/^roof1 · not paired · /)
  expect(status.stdout).toContain(`/v1/pairing-tokens/consume-token answered 200 with text/html, which is no answer`)
  expect(status.stdout).toContain(advice)
  expect(JSON.parse(await read('/status.json')).alarms).toMatchObject([
    { code: 'not_paired' },
    { code: 'unpairable', message: expect.stringContaining(advice) },
  ])
  expect(await read('/status')).toContain(advice)
  const doctor = await service.agent(['doctor', '--json'], { client: false })
  expect(JSON.parse(doctor.stdout).checks).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ name: 'service', result: 'failed', detail: expect.stringContaining(advice) }),
    ]),
  )

  service.answer = answer
  service.pair = (response) => json(response, 404, {})
  await until('the alarm has ended', async () => !(await read('/status.json')).includes('unpairable'))
})

test('a sensor that sees nothing yet is paired when Pair is pressed, and its alarm ends', async () => {
  const run = service.start(['run', '--stdin', '--status', '0'], { client: false })
  onTestFinished(() => void run.process.kill('SIGKILL'))

  await until('it is paired', () => run.stderr().includes('paired as urn:aa:device:acme:roof1'))

  const status = await service.agent(['status', '--state-dir', service.state, '--json'])
  expect(JSON.parse(status.stdout).alarms).toEqual([])
  expect(await readFile(join(service.state, 'identity.json'), 'utf8')).toContain('paired-access')
})

test('a local ID that the service refuses to pair is an alarm before anything is reported', async () => {
  service.pair = (response) =>
    json(response, 400, { type: 'urn:problem:x', title: 'Invalid local ID', status: 400, code: 'x' })
  const run = service.start(['run', '--stdin', '--status', '0'], { client: false })
  onTestFinished(() => void run.process.kill('SIGKILL'))
  await until('it is refused', () => run.stderr().includes('Invalid local ID'))

  const status = await service.agent(['status', '--state-dir', service.state, '--json'])
  expect(JSON.parse(status.stdout).alarms).toMatchObject([{ code: 'not_paired' }, { code: 'pairing_denied' }])
})
