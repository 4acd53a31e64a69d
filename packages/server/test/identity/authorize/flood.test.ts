/** A flood of requests from browsers that are not signed in leaves the storage as it was; devices notice nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aReport } from '../../a-report.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'
import { aRedisServer, testWithRedisServer } from '../../adapters/redis/redis-server.ts'

// 2,000 pages take some seconds, and longer on a busy machine.
async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-flood-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/**
 * @param measure The number of records in the storage.
 * @param isHistoryWritten The history of a device that gets a token is written after the answer.
 */
async function checkFlood(
  server: ServerUnderTest,
  measure: () => unknown,
  isHistoryWritten: () => Promise<boolean>,
): Promise<void> {
  const deviceToken = await server.deviceToken()
  await vi.waitUntil(isHistoryWritten, 10_000)
  const before = await measure()
  const state = 's'.repeat(2_048)
  const query = `client_id=app&response_type=code&scope=surveillance_api&redirect_uri=https://localhost:9443/callback`
  const paths = ['/account', '/devices', '/pairing/start?clientUniqueId=roof1', '/sensors']
  const statuses = new Set<number>()

  async function visit(requests: number): Promise<void> {
    for (let n = 0; n < requests; n++) {
      const path =
        n % 10 === 0
          ? (paths[(n / 10) % paths.length] ?? '/')
          : `/oauth/v2/authorize?${query}&state=${state}${n % 2 === 0 ? '' : n}`
      const answer = await server.fetch(path)
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
  }

  await Promise.all(Array.from({ length: 40 }, () => visit(50)))

  expect(statuses).toEqual(new Set([200, 302, 303]))
  expect(await measure()).toEqual(before)
  expect((await server.post('/v1/position-reports', deviceToken, aReport())).status).toBe(202)
  expect(await server.deviceToken('fleet', 'roof2')).toMatch(/^eyJ/)
}

test('2,000 requests without a session leave the SQLite file as it was, and reports and tokens are answered', async () => {
  const dataDir = await aFolder()
  const server = await aServer({ flags: { memory: false, 'data-dir': dataDir } })
  onTestFinished(() => server.stop())
  const database = new DatabaseSync(join(dataDir, 'posrep.sqlite'))
  onTestFinished(() => database.close())

  const count = (where = '') => database.prepare(`SELECT count(*) AS records FROM store ${where}`).get()
  await checkFlood(server, count, async () => Number(count("WHERE key LIKE 'device-history:%'")?.records) > 0)
})

testWithRedisServer(
  '2,000 requests without a session leave Redis as it was, and reports and tokens are answered',
  async () => {
    const redis = await aRedisServer()
    const server = await aServer({ flags: { memory: false, 'data-dir': await aFolder(), redis: redis.url } })
    onTestFinished(() => server.stop())

    await checkFlood(
      server,
      () => redis.command('DBSIZE'),
      async () => String(await redis.command('KEYS', '*device-history*')).includes('device-history'),
    )
  },
)
