/** Several addresses ask for the tokens of one sensor, without `--pairing-strict-source`: the first one gets them. */
import type { PairingToken } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createRecentSources } from '../../src/pairing/recent-sources.ts'
import type { Logger } from '../../src/ports/logger.ts'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest, silentLogger } from '../a-server.ts'
import { aPortalVisitor } from '../portal/a-portal-visitor.ts'

const warned: unknown[] = []
const logger: Logger = { ...silentLogger, warn: (...line) => void warned.push(line) }

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer({ flags: { 'trust-proxy': '1' }, logger })
})
afterAll(() => server.stop())

const consumeFrom = (address: string) =>
  server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
  })

test('when two addresses ask for one sensor, the first keeps its tokens, and the page and the log warn', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter('/pairing/start?clientUniqueId=roof1')
  const page = await visitor.press(await visitor.get('/pairing/start?clientUniqueId=roof1'), 'Pair')
  const { accessToken } = (await (await consumeFrom('203.0.113.1')).json()) as PairingToken
  expect((await visitor.get(page.url)).html).not.toContain('different addresses')

  expect((await consumeFrom('203.0.113.2')).status).toBe(404)

  const { html } = await visitor.get(page.url)
  expect(html).toContain('2 different addresses requested the tokens of this sensor')
  expect(html).toContain('203.0.113.1')
  expect((await server.post('/v1/position-reports', accessToken, aReport())).status).toBe(202)
  expect(warned).toEqual([[expect.objectContaining({ deviceUrn: roof1, sources: 2 }), expect.any(String)]])
})

test('in a flood of local IDs the least recently requested ones are removed', () => {
  const sources = createRecentSources({ clock: createManualClock(), forMs: 60_000, maxIds: 3 })
  sources.record('roof1', '203.0.113.1')
  for (const id of ['a', 'b', 'c']) sources.record(id, '203.0.113.1')

  expect(sources.record('c', '203.0.113.2')).toHaveLength(2)
  expect(sources.record('roof1', '203.0.113.2')).toHaveLength(1)
})
