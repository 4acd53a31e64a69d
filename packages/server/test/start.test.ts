import { expect, test } from 'vitest'
import { createManualClock } from '../src/contracts/manual-clock.ts'
import { ApiError, SettingsError } from '../src/errors.ts'
import { startServer } from '../src/server.ts'
import { resolveSettings } from '../src/settings.ts'
import { memoryStorage, type Storage } from '../src/storage.ts'
import { seed, silentLogger } from './a-server.ts'

/** As an adapter refuses: for its callers, with the reason behind it. */
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
  'a storage that is gone when a start comes to its %s is named, with the reason',
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
