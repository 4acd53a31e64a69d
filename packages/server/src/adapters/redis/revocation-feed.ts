/**
 * `RevocationFeed` in Redis: a stream in the order of announcing, a key per subject for its latest revocation, and a
 * sorted set of the entries by their expiry. Each subject has one entry in the stream, so a subject that is revoked
 * again and again takes no more memory.
 */
import type { Clock } from '../../ports/clock.ts'
import { type Revocation, type RevocationFeed, revocationPageSize } from '../../ports/storage/revocation-feed.ts'
import { checkTtl } from '../../ports/storage/store.ts'
import type { RedisLink } from './link/link.ts'
import { toTexts } from './link/reply.ts'
import { createGrowingScript, createReadScript } from './link/script.ts'

/** A key is kept this much longer than its revocation, in case the clock of Redis is ahead of this process's clock. */
const cleanUpAfterMs = 60_000

// A subject's key holds `<time>|<expiry>|<entry>`: the latest time and the latest expiry of all its revocations, and
// its entry.
const announceScript = createGrowingScript(`
local stream, key, expiries = KEYS[1], KEYS[2], KEYS[3]
local subject, at, expires, cleanUp, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local function remove(entry)
  redis.call('XDEL', stream, entry)
  redis.call('ZREM', expiries, entry)
end
local before = redis.call('GET', key)
if before then
  local beforeAt, beforeExpires, entry = string.match(before, '^(.*)|(.*)|(.*)$')
  if tonumber(beforeAt) > tonumber(at) then at = beforeAt end
  if tonumber(beforeExpires) > tonumber(expires) then
    cleanUp = cleanUp + beforeExpires - expires
    expires = beforeExpires
  end
  remove(entry)
end
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now, 'LIMIT', 0, 16)) do remove(entry) end
local entry = redis.call('XADD', stream, '*', 'subject', subject, 'at', at, 'expires', expires)
redis.call('ZADD', expiries, expires, entry)
redis.call('SET', key, at .. '|' .. expires .. '|' .. entry, 'PX', string.format('%.0f', cleanUp))
return 1`)

const findScript = createReadScript(`
local revocations = {}
for index = 1, #KEYS - 2 do revocations[index] = redis.call('GET', KEYS[index]) or '' end
return revocations`)

// A cursor ahead of the newest entry means that Redis has lost entries; reading starts from the beginning.
const readScript = createReadScript(`
local function parts(id)
  local ms, sequence = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end
local cursor = ARGV[1]
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest then return {cursor} end
if cursor ~= '' then
  local ms, sequence = parts(cursor)
  local newestMs, newestSequence = parts(newest[1])
  if ms > newestMs or (ms == newestMs and sequence > newestSequence) then cursor = '' end
end
local from = '-'
if cursor ~= '' then from = '(' .. cursor end
local answer = {cursor}
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[2])) do
  answer[1] = entry[1]
  for n = 2, 6, 2 do answer[#answer + 1] = entry[2][n] end
end
return answer`)

export function createRedisRevocationFeed({ link, clock }: { link: RedisLink; clock: Clock }): RevocationFeed {
  return {
    async announce({ subject, atMs }, ttlMs) {
      checkTtl(ttlMs)
      const now = clock.now()
      const args = [subject, atMs, now + ttlMs, Math.ceil(ttlMs) + cleanUpAfterMs, now]
      await link.run(announceScript, [stream, toKey(subject), expiries], args)
    },
    async find(subjects) {
      if (subjects.length === 0) return []
      const found = toTexts(await link.run(findScript, subjects.map(toKey), []))
      return subjects.flatMap((subject, index) => {
        const [atMs, expiresAtMs] = (found[index] ?? '').split('|').map(Number)
        return atMs !== undefined && expiresAtMs !== undefined && expiresAtMs > clock.now() ? [{ subject, atMs }] : []
      })
    },
    async read(cursor) {
      const [next = cursor, ...fields] = toTexts(await link.run(readScript, [stream], [cursor, revocationPageSize]))
      const hasMore = fields.length === 3 * revocationPageSize
      return { revocations: toRevocations(fields, clock.now()), cursor: next, hasMore }
    },
  }
}

const stream = 'revocations'
const expiries = 'revocations:expiries'

function toKey(subject: string): string {
  return `revocation:${subject}`
}

/** Each revocation has three fields: subject, time, expiry. */
function toRevocations(fields: string[], now: number): Revocation[] {
  const revocations: Revocation[] = []
  for (let index = 0; index < fields.length; index += 3) {
    const [subject = '', at, expires] = fields.slice(index, index + 3)
    if (Number(expires) > now) revocations.push({ subject, atMs: Number(at) })
  }
  return revocations
}
