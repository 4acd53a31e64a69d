import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SettingsError } from '../../src/errors.ts'
import { type GivenSettings, resolveSettings } from '../../src/settings/resolve-settings.ts'
import { aReport } from '../a-report.ts'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { aRedisServer, isRedisWanted, type RedisServer } from '../adapters/redis/redis-server.ts'

const settings = (flags: GivenSettings) => resolveSettings({ flags, environment: {} })

test('by default a process has every role', () => {
  expect(settings({}).roles).toEqual(['identity', 'ingest', 'ui', 'worker'])
  expect(settings({ redis: 'redis://localhost', roles: 'worker, ingest,ingest' }).roles).toEqual(['ingest', 'worker'])
})

test('unknown roles are refused with a list of the roles', () => {
  for (const roles of ['', 'ingest,', 'Ingest', 'ingest;ui']) {
    expect(() => settings({ redis: 'redis://localhost', roles })).toThrow(
      `--roles must be one or more of identity,ingest,ui,worker, got "${roles}"`,
    )
  }
})

test('a process without all roles needs Redis, and cannot run the demo', () => {
  expect(() => settings({ roles: 'ingest' })).toThrow(SettingsError)
  expect(() => settings({ roles: 'ingest' })).toThrow('--roles needs --redis')
  expect(() => settings({ redis: 'redis://localhost', demo: true, roles: 'ui' })).toThrow('--demo needs every role')
  expect(settings({ roles: 'ui,worker,identity,ingest' }).roles).toHaveLength(4)
})

const origin = 'https://localhost:8443'

let redis: RedisServer
const processes = new Map<string, ServerUnderTest>()
beforeAll(async () => {
  if (!isRedisWanted) return
  redis = await aRedisServer()
  for (const roles of ['identity', 'ingest', 'ui', 'worker']) {
    const origins = { 'auth-origin': origin, 'ingest-origin': origin, 'ui-origin': origin }
    processes.set(roles, await aServer({ flags: { redis: redis.url, roles, ...origins } }))
  }
})
afterAll(async () => {
  for (const server of processes.values()) await server.stop()
  await redis?.stop()
})

function processOf(role: string): ServerUnderTest {
  const server = processes.get(role)
  if (!server) throw new Error(`No process "${role}"`)
  return server
}

const testWithRoles = test.skipIf(!isRedisWanted)

/** Requests have no token and no body, so a process that has the operation refuses them, but not with 404. */
const paths: [method: string, path: string, roles: string[]][] = [
  ['POST', '/oauth/v2/token', ['identity']],
  ['POST', '/oauth/v2/revoke', ['identity']],
  ['GET', '/oauth/v2/authorize', ['identity']],
  ['GET', '/oauth/v2/jwks', ['identity']],
  ['GET', '/.well-known/oauth-authorization-server', ['identity']],
  ['GET', '/account', ['identity']],
  ['POST', '/v1/position-reports', ['ingest']],
  ['POST', '/v1/pairing-tokens/consume-token', ['ingest', 'ui']],
  ['GET', '/v1/devices', ['ui']],
  ['GET', `/v1/devices/${roof1}`, ['ui']],
  ['POST', '/v1/pairing-requests', ['ui']],
  ['GET', '/healthz', ['identity', 'ingest', 'ui', 'worker']],
  ['GET', '/readyz', ['identity', 'ingest', 'ui', 'worker']],
  ['GET', '/version', ['identity', 'ingest', 'ui', 'worker']],
  ['GET', '/metrics', ['identity', 'ingest', 'ui', 'worker']],
  ['GET', '/openapi.json', ['identity', 'ingest', 'ui', 'worker']],
]

testWithRoles.each(paths)('%s %s is answered by the roles %j only', async (method, path, roles) => {
  const answering = await Promise.all(
    [...processes].map(async ([role, server]) => {
      const { status } = await server.fetch(path, { method })
      return status === 404 ? [] : [role]
    }),
  )
  expect(answering.flat()).toEqual(roles)
})

testWithRoles('a report that one process accepts is processed by another and shown by a third', async () => {
  const deviceToken = await processOf('identity').deviceToken()
  const userToken = await processOf('identity').userToken()

  const report = aReport()
  expect((await processOf('ingest').post('/v1/position-reports', deviceToken, report)).status).toBe(202)

  await vi.waitFor(async () => {
    const answer = await processOf('ui').get(`/v1/devices/${roof1}/recent`, userToken)
    expect(await answer.json()).toMatchObject({ data: [{ positions: report.positions }] })
  }, 5_000)
})
