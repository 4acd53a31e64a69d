/**
 * The scripts for buried entries of a log. Each script is atomic. `lua-fragments.ts` describes the keys.
 * KEYS[1] is the prefix of the log's keys.
 */
import { buriedPortion } from '../../../ports/storage/log.ts'
import { createGrowingScript, createReadScript, createScript } from '../link/script.ts'
import { burying, keys, queues, reading } from './lua-fragments.ts'

/**
 * ARGV: queue or '' for all queues, seq after which to start, maximum entries, bytes of each body ('' = all). Returns
 * {seq, queue, time of the append, body, reason, time of the burial, name} per entry. Either the body or its name is
 * ''.
 */
export const listBuriedScript = createReadScript(`${keys}${reading}
local queue, after, most, bytes, found = take(), take(), take(), tonumber(take()), {}
local listed = queue == '' and burials or burialsOf(queue)
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', listed, '(' .. after, '+inf', 'LIMIT', 0, most)) do
  if room <= 0 then break end
  local entry = cmsgpack.unpack(redis.call('HGET', buried, seq))
  found[#found + 1] = entry
  room = room - #entry[4]
  if entry[7] ~= '' then room = room - sizeOf('name', entry[7]) end
  if bytes then
    local isNamed = entry[7] ~= ''
    entry[4], entry[7] = beginningOf(isNamed and 'name' or 'body', isNamed and entry[7] or entry[4], bytes), ''
  end
end
return found`)

/** ARGV: queue, maximum. Returns the seqs of its oldest buried entries. */
export const oldestBuriedScript = createReadScript(`${keys}
return redis.call('ZRANGE', burialsOf(take()), 0, take() - 1)`)

/**
 * ARGV: now, seqs. Unburies a portion of them. Returns the number of entries that were found, and of the seqs that were
 * looked up.
 */
export const unburyScript = createGrowingScript(`${keys}${queues}${burying}
local now, found, waiting, bytes = take(), 0, {}, 0
while at < #ARGV - 1 and bytes < ${buriedPortion.bytes} do
  local entry = takeBuried(take())
  if entry then
    local name = nameOf(entry)
    bytes = bytes + sizeOf(name and 'name' or 'body', name or entry[4])
    put(entry[2], redis.call('HINCRBY', counts, 'seq', 1), now, name and 'name' or 'body', name or entry[4])
    waiting[#waiting + 1] = now
    waiting[#waiting + 1] = entry[2]
    found = found + 1
  end
end
makeReady(waiting)
if found > 0 then
  redis.call('HINCRBY', counts, 'waiting', found)
  tellWatchers()
end
return {found, at - 1}`)

/**
 * Deletes a portion of the buried entries of a queue that were appended before a time. ARGV: queue, the time. Returns
 * the number.
 */
export const forgetBuriedOfScript = createScript(`${keys}${queues}${burying}
local queue, before = take(), tonumber(take())
local deleted, bytes = 0, 0
for _, seq in ipairs(redis.call('ZRANGE', burialsOf(queue), 0, ${buriedPortion.entries - 1})) do
  if bytes >= ${buriedPortion.bytes} then break end
  if tonumber(cmsgpack.unpack(redis.call('HGET', buried, seq))[3]) >= before then break end
  bytes, deleted = bytes + deleteBuried(seq), deleted + 1
end
return deleted`)

/** Deletes a portion of the entries that were buried before a time. ARGV: the time. Returns the number deleted. */
export const forgetBuriedScript = createScript(`${keys}${queues}${burying}
local old = redis.call('ZRANGEBYSCORE', buriedAt, '-inf', '(' .. take(), 'LIMIT', 0, ${buriedPortion.entries})
local deleted, bytes = 0, 0
for _, seq in ipairs(old) do
  if bytes >= ${buriedPortion.bytes} then break end
  bytes, deleted = bytes + deleteBuried(seq), deleted + 1
end
return deleted`)
