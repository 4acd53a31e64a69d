import { expect, test } from 'vitest'
import { until } from '../../../../testing/real-time.ts'
import { startServer } from '../../src/composition/server.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError, SettingsError } from '../../src/errors.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { seed, silentLogger } from '../a-server.ts'

/** The error of an adapter: an ApiError with the reason as its cause. */
function unavailable(): Promise<never> {
  const cause = new Error('Redis has not answered within 2000 ms')
  return Promise.reject(new ApiError('unavailable', 'The store did not take this; try again shortly', { cause }))
}

function start(storage: Storage, more: Record<string, string> = {}, clock = createManualClock()) {
  const flags = { ...more, redis: 'redis://:hidden@redis.example:6379', 'insecure-http': true, port: '0' }
  const settings = resolveSettings({ flags, environment: {} })
  return startServer({
    settings,
    storage,
    clock,
    logger: silentLogger,
    version: '1',
    seeds: [seed],
  })
}

test.each(['signingKey', 'user'])(
  'when the storage fails at the %s during the start, the error names the storage and the reason',
  async (kind) => {
    const memory = memoryStorage({ clock: createManualClock() })
    const list: typeof memory.directory.list = (asked, ...rest) =>
      asked === kind ? unavailable() : memory.directory.list(asked, ...rest)
    const clock = createManualClock()
    let closed = 0

    let error: unknown
    const storage = { ...memory, directory: { ...memory.directory, list }, close: async () => void closed++ }
    start(storage, {}, clock).catch((cause) => {
      error = cause
    })
    // An entry of the seed is tried a few times.
    await until('the start has failed', async () => {
      await clock.advance(1_000)
      return error !== undefined
    })

    expect(error).toBeInstanceOf(SettingsError)
    expect(error).toMatchObject({
      message: '--redis at redis.example:6379 cannot be used: Redis has not answered within 2000 ms',
    })
    expect(closed).toBe(1)
  },
)

test('only a process with the role ui registers the portal, with its own origin', async () => {
  const storage = memoryStorage({ clock: createManualClock() })
  const startWith = async (roles: string, uiOrigin: string) => {
    const server = await start(storage, { roles, 'ui-origin': uiOrigin })
    await server.stop()
    return (await storage.directory.find('client', 'posrep-portal'))?.redirectUris
  }
  const [ours, other] = ['https://ui.example.com', 'https://other.example.com']
  expect(await startWith('identity,ingest,worker', other)).toBeUndefined()
  expect(await startWith('ui', ours)).toEqual([expect.stringContaining(`${ours}/`)])
  expect(await startWith('identity,ingest,worker', other)).toEqual([expect.stringContaining(`${ours}/`)])
})
