/**
 * `RecentDeliveries` in Redis. KEYS[1] is the prefix of these keys:
 * - `values:<device>`: hash from ids to deliveries, as JSON
 * - `order:<device>`: list of these ids, the last stored one first
 * - `devices`: sorted set of devices, by the end of their latest delivery
 */
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../../../ports/storage/recent-deliveries.ts'
import { fromJson } from '../../from-json.ts'
import type { RedisLink } from '../link/link.ts'
import { toText, toTexts } from '../link/reply.ts'
import { createReadScript, createScript } from '../link/script.ts'

const keys = ['deliveries:']
/** Deliveries or devices per script call. Redis serves no other client while a script runs. */
const batchSize = 100

const names = `
local base = KEYS[1]
local devices = base .. 'devices'
local function valuesOf(device) return base .. 'values:' .. device end
local function orderOf(device) return base .. 'order:' .. device end
`

/** ARGV: maximum deliveries per device; per delivery: device, id, time of its end, JSON. */
const keepScript = createScript(`${names}
local keep = tonumber(ARGV[1])
for n = 2, #ARGV - 4, 4 do
  local device, id = ARGV[n], ARGV[n + 1]
  local values, order = valuesOf(device), orderOf(device)
  if redis.call('HSET', values, id, ARGV[n + 3]) == 0 then redis.call('LREM', order, 0, id) end
  redis.call('LPUSH', order, id)
  while redis.call('LLEN', order) > keep do redis.call('HDEL', values, redis.call('RPOP', order)) end
  redis.call('ZADD', devices, 'GT', ARGV[n + 2], device)
end
return 1`)

/** ARGV: device. Returns its deliveries, the last stored one first. */
const listScript = createReadScript(`${names}
local ids = redis.call('LRANGE', orderOf(ARGV[1]), 0, -1)
if #ids == 0 then return {} end
return redis.call('HMGET', valuesOf(ARGV[1]), unpack(ids))`)

/** ARGV: device, id. Returns the delivery, if there is one. */
const findScript = createReadScript(`${names} return redis.call('HGET', valuesOf(ARGV[1]), ARGV[2])`)

/**
 * Deletes devices whose latest delivery ended before a time. ARGV: the time, maximum devices. Returns the number
 * deleted.
 */
const sweepScript = createScript(`${names}
local old = redis.call('ZRANGEBYSCORE', devices, '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
for _, device in ipairs(old) do
  redis.call('UNLINK', valuesOf(device), orderOf(device))
  redis.call('ZREM', devices, device)
end
return #old`)

export function createRedisRecentDeliveries({ link }: { link: RedisLink }): RecentDeliveries {
  return {
    async keep(deliveries) {
      for (let first = 0; first < deliveries.length; first += batchSize) {
        const batch = deliveries.slice(first, first + batchSize)
        await link.run(keepScript, keys, [keptDeliveries, ...batch.flatMap(toArgs)])
      }
    },
    async list(deviceUrn) {
      return toTexts(await link.run(listScript, keys, [deviceUrn])).map((value) => fromJson(value))
    },
    async find(deviceUrn, id) {
      return fromJson(toText(await link.run(findScript, keys, [deviceUrn, id])))
    },
    async sweep(beforeMs) {
      while (Number(await link.run(sweepScript, keys, [beforeMs, batchSize])) === batchSize);
    },
  }
}

function toArgs(delivery: RecentDelivery): (string | number)[] {
  return [delivery.deviceUrn, delivery.id, delivery.endedAtMs, JSON.stringify(delivery)]
}
