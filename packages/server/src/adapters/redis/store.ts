/**
 * `Store` in Redis: one string per key, `<expiry>|<JSON>`.
 * Our clock decides whether a value has expired; Redis' own expiry is later, and only frees memory.
 */
import type { Clock } from '../../ports/clock.ts'
import { checkTtl, type Store } from '../../ports/storage/store.ts'
import { fromJson } from '../from-json.ts'
import type { RedisLink } from './link/link.ts'
import { toText } from './link/reply.ts'
import { createGrowingScript, createReadScript, createScript } from './link/script.ts'

/** Our clock may be behind Redis' by this much before a value is deleted too early. */
const cleanUpAfterMs = 60_000
/** Redis takes no unbounded time to live. */
const longestTtlMs = 2 ** 45

const read = `
local function read(key, now)
  local stored = redis.call('GET', key)
  if not stored then return nil end
  local bar = string.find(stored, '|', 1, true)
  if tonumber(string.sub(stored, 1, bar - 1)) <= tonumber(now) then return nil end
  return string.sub(stored, bar + 1)
end
`
const getScript = createReadScript(`${read} return read(KEYS[1], ARGV[1])`)
const putScript = createGrowingScript(`
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)
const takeScript = createScript(`${read}
local value = read(KEYS[1], ARGV[1])
if value then redis.call('DEL', KEYS[1]) end
return value`)
const replaceScript = createGrowingScript(`${read}
local value = read(KEYS[1], ARGV[1])
if ARGV[2] == '' then
  if value then return 0 end
elseif value ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1`)

export function createRedisStore({ link, clock }: { link: RedisLink; clock: Clock }): Store {
  function toStored(value: unknown, ttlMs: number): [stored: string, cleanUpMs: number] {
    checkTtl(ttlMs)
    const shortenedMs = Math.min(ttlMs, longestTtlMs)
    return [`${clock.now() + shortenedMs}|${JSON.stringify(value)}`, Math.ceil(shortenedMs) + cleanUpAfterMs]
  }

  async function take(key: string): Promise<string | undefined> {
    return toText(await link.run(takeScript, [toKey(key)], [clock.now()]))
  }

  return {
    async get(key) {
      return fromJson(toText(await link.run(getScript, [toKey(key)], [clock.now()])))
    },
    async put(key, value, ttlMs) {
      await link.run(putScript, [toKey(key)], toStored(value, ttlMs))
    },
    async take(key) {
      return fromJson(await take(key))
    },
    async replace(key, expected, next, ttlMs) {
      // No JSON text is empty.
      const before = expected === undefined ? '' : JSON.stringify(expected)
      const args = [clock.now(), before, ...toStored(next, ttlMs)]
      return (await link.run(replaceScript, [toKey(key)], args)) === 1
    },
    async delete(key) {
      return (await take(key)) !== undefined
    },
  }
}

function toKey(key: string): string {
  return `store:${key}`
}
