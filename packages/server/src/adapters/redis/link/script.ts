/**
 * Lua that Redis runs as one step (EVALSHA). Every script first checks three things:
 * is its caller still waiting, so that a Redis that hung writes nothing that was refused long ago; is this the primary, so
 * that a demoted one refuses reads and writes alike instead of answering from the past; and has a newer version taken over,
 * whose records this one would neither read nor write right.
 */
import { createHash } from 'node:crypto'

export interface Script {
  text: string
  sha: string
}

/** The version of the keys and values in Redis; `checks.ts` refuses another one at the start. */
export const schemaVersion = 1

/** The first word of an error because of the deadline. */
export const lateCode = 'LATE'

const isInTime = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[#ARGV]) then
  return redis.error_reply('${lateCode} the caller has given up')
end
`
const isOurs = `
if tonumber(redis.call('GET', KEYS[#KEYS - 1]) or 0) > ${schemaVersion} then
  return redis.error_reply('SCHEMA a newer version of posrep-server has taken over; end this one')
end
`
// Both name a key that never exists. They change nothing, and fail where writing does: on a replica, with too few replicas,
// on a full disk. SET also fails while memory is full, and must come first: after a first write Redis does not check again.
const mayWrite = `redis.call('DEL', KEYS[#KEYS])`
const growth = `('SET', KEYS[#KEYS], '', 'XX')`

/** Lua for scripts that are given lists: `take()` is the next argument. */
export const takeArgument = `
local at = 0
local function take()
  at = at + 1
  return ARGV[at]
end
`

/** `link.ts` adds the deadline behind the script's arguments, and behind its keys the schema's and the one that never exists. */
export function createScript(body: string): Script {
  return toScript(`${isInTime}${mayWrite}\n${isOurs}${body}`)
}

/** For scripts that need memory: refused while memory is full. */
export function createGrowingScript(body: string): Script {
  return toScript(`${isInTime}redis.call${growth}\n${isOurs}${body}`)
}

/** A growing script after values that were written in the same step (`RedisLink.runBehind`): a refusal deletes them. */
export function createGrowingScriptBehind(body: string): Script {
  return toScript(`
local function refuse()
${isInTime}
local answer = redis.pcall${growth}
if type(answer) == 'table' and answer.err then return answer end
${isOurs}
end
local refusal = refuse()
if refusal then
  for n = 2, #KEYS - 2 do redis.call('UNLINK', KEYS[n]) end
  return refusal
end
${body}`)
}

function toScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
