/**
 * Lua scripts, which Redis runs atomically (EVALSHA). Every script first checks three things:
 * 1. The caller is still waiting. Otherwise a Redis that hung would later execute calls that have already failed.
 * 2. This Redis is the primary. A replica may have old data, so reads are refused there, too.
 * 3. No newer version of posrep-server has taken over. This version could not read or write its records correctly.
 */
import { createHash } from 'node:crypto'

export interface Script {
  text: string
  sha: string
  /** False if the script only reads. */
  writes: boolean
}

/**
 * The version of the keys and values in Redis. With another version in Redis, the server does not start (`checks.ts`).
 */
export const schemaVersion = 1

/** The first word of the error of a script that started after its deadline. */
export const lateCode = 'LATE'

const isInTime = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[#ARGV]) then
  return redis.error_reply('${lateCode} the caller has given up')
end
`
const isOurs = `
local schema = redis.call('GET', KEYS[#KEYS - 1]) or 0
if not tonumber(schema) or tonumber(schema) > ${schemaVersion} then
  return redis.error_reply('SCHEMA a newer version of posrep-server has taken over, or the data was moved; end this one')
end
`
// Both commands use a key that never exists, so they change nothing. They fail when Redis refuses writes: on a replica,
// with too few replicas, on a full disk. SET also fails while memory is full. It must be the first write, because Redis
// checks its memory only before the first write of a script.
const mayWrite = `redis.call('DEL', KEYS[#KEYS])`
const growth = `('SET', KEYS[#KEYS], '', 'XX')`

/** Lua for scripts whose arguments are lists: `take()` returns the next argument. */
export const takeArgument = `
local at = 0
local function take()
  at = at + 1
  return ARGV[at]
end
`

/**
 * `link.ts` adds the deadline as the last argument, and as the last two keys the schema's key and the key that never
 * exists.
 */
export function createScript(body: string): Script {
  return toScript(`${isInTime}${mayWrite}\n${isOurs}${body}`)
}

/** For scripts that only read. They are refused where writes are refused, too, because that Redis may have old data. */
export function createReadScript(body: string): Script {
  return { ...createScript(body), writes: false }
}

/** For scripts that need memory: refused while memory is full. */
export function createGrowingScript(body: string): Script {
  return toScript(`${isInTime}redis.call${growth}\n${isOurs}${body}`)
}

/**
 * A growing script for `RedisLink.runAfterWriting`, which writes values just before it. If the script is refused, it
 * deletes them.
 */
export function createGrowingScriptAfterWriting(body: string): Script {
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
  return { text, sha: createHash('sha1').update(text).digest('hex'), writes: true }
}
