import { expect, test } from 'vitest'
import { startServer } from '../../src/composition/server.ts'
import { memoryStorage, type Storage } from '../../src/composition/storage.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError, SettingsError } from '../../src/errors.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { seed, silentLogger } from '../a-server.ts'

/** The error of an adapter: an ApiError with the reason as its cause. */
function unavailable(): Promise<never> {
  const cause = new Error('Redis has not answered within 2000 ms')
  return Promise.reject(new ApiError('unavailable', 'The store did not take this; try again shortly', { cause }))
}

function start(storage: Storage) {
  const flags = { redis: 'redis://:hidden@redis.example:6379', 'insecure-http': true, port: '0' }
  const settings = resolveSettings({ flags, environment: {} })
  return startServer({
    settings,
    storage,
    clock: createManualClock(),
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
    let closed = 0

    const error: unknown = await start({
      ...memory,
      directory: { ...memory.directory, list },
      close: async () => void closed++,
    }).catch((error) => error)

    expect(error).toBeInstanceOf(SettingsError)
    expect(error).toMatchObject({
      message: '--redis at redis.example:6379 cannot be used: Redis has not answered within 2000 ms',
    })
    expect(closed).toBe(1)
  },
)
