/** Two servers on one Redis limit their callers together. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { aServer, type ServerUnderTest } from '../a-server.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from '../adapters/redis/redis-server.ts'

let redis: RedisServer
let folder: string
let servers: ServerUnderTest[] = []
beforeAll(async () => {
  if (!isRedisWanted) return
  redis = await aRedisServer()
  folder = await mkdtemp(join(tmpdir(), 'posrep-limits-'))
  for (let n = 0; n < 2; n++) {
    servers.push(await aServer({ flags: { memory: false, redis: redis.url, 'data-dir': join(folder, String(n)) } }))
  }
  // Their clocks began at different times.
  const [one, other] = servers.map(({ clock }) => clock)
  one?.leap((other?.now() ?? 0) - one.now())
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  servers = []
  await redis?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

/** Sends the requests to both servers in turn, one after the other; returns the number of each status. */
async function alternate(requests: number, path: string, body?: () => URLSearchParams) {
  const statuses = new Map<number, number>()
  for (let n = 0; n < requests; n++) {
    const answer = await servers[n % servers.length]?.fetch(path, { method: 'POST', ...(body && { body: body() }) })
    await answer?.arrayBuffer()
    const status = answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return Object.fromEntries(statuses)
}

testWithRedisServer(
  'failed client authentications at two servers are counted together, up to a step of 10 each more',
  async () => {
    const wrong = { grant_type: 'client_credentials', client_id: 'fleet', client_secret: 'wrong', device_id: 'roof1' }

    const { 401: refused = 0, 429: limited = 0 } = await alternate(
      140,
      '/oauth/v2/token',
      () => new URLSearchParams(wrong),
    )

    expect(refused + limited).toBe(140)
    expect(refused).toBeGreaterThanOrEqual(100)
    expect(refused).toBeLessThanOrEqual(120)
    for (const server of servers) expect(await server.deviceToken()).toMatch(/^eyJ/)
  },
)

testWithRedisServer(
  'calls of consume-token for one sensor at two servers are counted together, up to a step of 2 each more',
  async () => {
    const { 404: asked = 0, 429: limited = 0 } = await alternate(
      20,
      '/v1/pairing-tokens/consume-token?clientUniqueId=nobody1',
    )

    expect(asked + limited).toBe(20)
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(asked).toBeLessThanOrEqual(9)
  },
)

testWithRedisServer('a sensor that asks once a second and a flood of other IDs write nothing to Redis', async () => {
  const before = await redis.command('DBSIZE')
  await alternate(1, '/v1/pairing-tokens/consume-token?clientUniqueId=roof1')
  for (let n = 0; n < 40; n++) await alternate(2, `/v1/pairing-tokens/consume-token?clientUniqueId=id${n}`)

  expect(Number(await redis.command('DBSIZE'))).toBeLessThanOrEqual(Number(before))
})
