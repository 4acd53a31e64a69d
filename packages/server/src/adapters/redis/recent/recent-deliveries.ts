/**
 * `RecentDeliveries` in Redis: per device a hash of the deliveries and a list of their order, and when each device had
 * its latest one.
 */
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../../../ports/storage/recent-deliveries.ts'
import type { RedisLink } from '../link/link.ts'
import { toText, toTexts } from '../link/reply.ts'
import { createScript } from '../link/script.ts'

const keys = ['deliveries:']
/** Deliveries per step: Redis answers nobody else during a step. */
const atOnce = 100

const names = `
local base = KEYS[1]
local devices = base .. 'devices'
local function valuesOf(device) return base .. 'values:' .. device end
local function orderOf(device) return base .. 'order:' .. device end
`

/** ARGV: how many to keep of a device; per delivery: device, id, when it ended, its JSON. */
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

/** ARGV: device. */
const listScript = createScript(`${names}
local ids = redis.call('LRANGE', orderOf(ARGV[1]), 0, -1)
if #ids == 0 then return {} end
return redis.call('HMGET', valuesOf(ARGV[1]), unpack(ids))`)

/** ARGV: device, id. */
const findScript = createScript(`${names} return redis.call('HGET', valuesOf(ARGV[1]), ARGV[2])`)

/** ARGV: before when, how many at most. Answers how many devices were forgotten. */
const sweepScript = createScript(`${names}
local silent = redis.call('ZRANGEBYSCORE', devices, '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])
for _, device in ipairs(silent) do
  redis.call('UNLINK', valuesOf(device), orderOf(device))
  redis.call('ZREM', devices, device)
end
return #silent`)

export function createRedisRecentDeliveries({ link }: { link: RedisLink }): RecentDeliveries {
  return {
    async keep(deliveries) {
      for (let first = 0; first < deliveries.length; first += atOnce) {
        const some = deliveries.slice(first, first + atOnce)
        await link.run(keepScript, keys, [keptDeliveries, ...some.flatMap(toArgs)])
      }
    },
    async list(deviceUrn) {
      return toTexts(await link.run(listScript, keys, [deviceUrn])).map(parsed)
    },
    async find(deviceUrn, id) {
      const value = toText(await link.run(findScript, keys, [deviceUrn, id]))
      return value === undefined ? undefined : parsed(value)
    },
    async sweep(beforeMs) {
      while (Number(await link.run(sweepScript, keys, [beforeMs, atOnce])) === atOnce);
    },
  }
}

function toArgs(delivery: RecentDelivery): (string | number)[] {
  return [delivery.deviceUrn, delivery.id, delivery.endedAtMs, JSON.stringify(delivery)]
}

function parsed(value: string): RecentDelivery {
  // Written by `keep`.
  return JSON.parse(value) as RecentDelivery
}
