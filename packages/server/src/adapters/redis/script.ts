/**
 * Lua that Redis runs as one step (EVALSHA). Every script first asks two things:
 * is its caller still waiting, so that a Redis that hung writes nothing that was refused long ago, and is this the
 * primary, so that a demoted one refuses reads and writes alike instead of answering from the past.
 */
import { createHash } from 'node:crypto'

export interface Script {
  text: string
  sha: string
}

/** How a refusal begins that came from the deadline. */
export const lateCode = 'LATE'

const isInTime = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[#ARGV]) then
  return redis.error_reply('${lateCode} the caller has given up')
end
`
// Both name a key that never exists. They change nothing, and fail where writing does: on a replica, without enough
// replicas, on a full disk. SET fails on full memory as well, and must: after a first write Redis stops asking.
const mayWrite = `redis.call('DEL', KEYS[#KEYS])`
const mayGrow = `redis.call('SET', KEYS[#KEYS], '', 'XX')`

/** `link.ts` adds the deadline behind the script's arguments and the key that never exists behind its keys. */
export function createScript(body: string): Script {
  return toScript(`${isInTime}${mayWrite}\n${body}`)
}

/** For what takes memory: it is refused where there is none. */
export function createGrowingScript(body: string): Script {
  return toScript(`${isInTime}${mayGrow}\n${body}`)
}

function toScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
