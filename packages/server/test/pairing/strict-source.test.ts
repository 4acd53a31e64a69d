import type { PairingRequest, PairingToken } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Logger } from '../../src/ports/logger.ts'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest, silentLogger } from '../a-server.ts'
import { aPortalVisitor } from '../portal/a-portal-visitor.ts'

const warned: unknown[] = []
const logger: Logger = { ...silentLogger, warn: (...line) => void warned.push(line) }

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'pairing-strict-source': true, 'trust-proxy': '1' }, logger })
})
afterAll(() => server.stop())

const consumeFrom = (address: string) =>
  server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
  })

test('the first caller loses its tokens when another address asks, and the page and the log say so', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter('/pairing/start?clientUniqueId=roof1')
  const page = await visitor.press(await visitor.get('/pairing/start?clientUniqueId=roof1'), 'Pair')
  const { accessToken } = (await (await consumeFrom('203.0.113.1')).json()) as PairingToken
  expect((await server.post('/v1/position-reports', accessToken, aReport())).status).toBe(202)
  expect(warned).toEqual([])

  expect((await consumeFrom('203.0.113.2')).status).toBe(404)

  expect((await server.post('/v1/position-reports', accessToken, aReport())).status).toBe(401)
  const { html } = await visitor.get(page.url)
  expect(html).toContain('No tokens issued')
  expect(html).toContain('203.0.113.1')
  const told = [expect.objectContaining({ deviceUrn: roof1, sources: 2, state: 'contested' }), expect.any(String)]
  expect(warned).toEqual([told])
})

test('nobody gets tokens while two callers ask, and the remaining caller gets them a minute after the other stops', async () => {
  const pair = async () =>
    (await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: roof1 })).json()
  const { id } = (await pair()) as PairingRequest
  expect((await consumeFrom('203.0.113.1')).status).toBe(404)
  const request = await server.get(`/v1/pairing-requests/${id}`, await server.userToken())
  expect(await request.json()).toMatchObject({ state: 'expired', sources: 2, consumedBy: null })

  await server.clock.advance(60_000)
  await pair()
  expect((await consumeFrom('203.0.113.1')).status).toBe(200)
})
