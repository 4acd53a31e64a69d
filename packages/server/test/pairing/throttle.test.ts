import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

function consume(id: string) {
  return server.fetch(`/v1/pairing-tokens/consume-token?clientUniqueId=${id}`, { method: 'POST' })
}

test('a device that asks once a second for a minute never meets a limit', async () => {
  for (let second = 0; second < 60; second++) {
    expect((await consume('roof1')).status).toBe(404)
    server.clock.leap(1_000)
  }
})

test('more than 5 requests a second for one ID are 429, and other IDs pass', async () => {
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await consume('roof1')).status))
  const refused = await consume('roof1')

  expect(statuses.filter((status) => status === 404)).toHaveLength(5)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
  expect((await consume('roof2')).status).toBe(404)
  server.clock.leap(1_000)
  expect((await consume('roof1')).status).toBe(404)
})

test('more than 1,000 requests a second from one address are 429', async () => {
  server.clock.leap(1_000)
  const statuses = await Promise.all(Array.from({ length: 1_010 }, async (_, id) => (await consume(`id${id}`)).status))

  expect(statuses.filter((status) => status === 404)).toHaveLength(1_000)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})
