import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { refusedFile } from '../../src/refused/refused-file.ts'
import { aTestService, type TestService } from '../support/a-command.ts'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two, and the machine may be busy.
let service: TestService

beforeAll(async () => {
  service = await aTestService()
})
afterAll(() => service.stop())

test('a resend that is killed halfway goes on where it ended, and repeats nothing that was accepted', async () => {
  await mkdir(service.state)
  const refused = refusedFile(join(service.state, 'refused.ndjson'))
  const ids = ['1', '2', '3', '4']
  await refused.append(ids.map((id) => ({ json: JSON.stringify(aPosition(id)), reason: 'not yet', status: 403 })))
  const seen = () =>
    service.bodies.map((body) =>
      JSON.parse(body)
        .positions.map(({ id }: { id: string }) => id)
        .join(),
    )
  // The third one has no answer.
  service.answer = (response) => {
    if (service.bodies.length < 3) response.writeHead(202).end()
  }
  const call = { service: true, client: true }
  const killed = service.start(['refused', 'resend'], call)
  await vi.waitUntil(() => service.bodies.length === 3)
  killed.process.kill('SIGKILL')
  await killed.ended

  const list = await service.agent(['refused', 'list', '--state-dir', service.state, '--json'])
  expect(JSON.parse(list.stdout).refused.map(({ json }: { json: string }) => JSON.parse(json).id)).toEqual(['3', '4'])
  service.answer = (response) => response.writeHead(202).end()
  const { code, stdout } = await service.agent(['refused', 'resend'], call)

  expect([code, stdout]).toEqual([0, '2 sent again: 2 accepted, 0 refused\n'])
  expect(seen()).toEqual(['1', '2', '3', '3', '4'])
  expect(await refused.list()).toEqual([])
})

test('what a service answered cannot control the terminal, in text or in JSON', async () => {
  const refused = refusedFile(join(service.state, 'refused.ndjson'))
  const reason = 'no \x9b31m such \u202edevice\x1b[2J'
  await refused.append([{ json: JSON.stringify(aPosition('5')), reason, status: 400 }])
  const list = ['refused', 'list', '--state-dir', service.state]
  const [text, json] = [await service.agent(list), await service.agent([...list, '--json'])]

  expect(text.stdout).toContain(String.raw`no \u009b31m such \u202edevice\u001b[2J`)
  expect(json.stdout).toContain(String.raw`no \u009b31m such \u202edevice\u001b[2J`)
  expect(JSON.parse(json.stdout).refused).toMatchObject([{ reason }])
})
