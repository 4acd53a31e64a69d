/**
 * Lua that the scripts of a log share: the names of its keys, and how entries are written and read.
 * KEYS[1] is the prefix of the log's keys:
 * - `queue:<queue>`: stream of the queue's entries; the id is the seq
 * - `body:<name>`: a large body; its entry has only the name
 * - `ready`: sorted set of queues, by the time from which they may be leased
 * - `heads`: sorted set of queues, by the time at which their oldest entry was appended
 * - `holders`: hash from leased queues to the fence of the lease, followed by `!` if the queue was woken
 * - `counts`: hash of counters
 * - `bytes`, `client-bytes`: hashes from queues and from clients to the size of their bodies, of waiting and buried
 *   entries
 * - `buried`: hash from seqs to buried entries
 * - `burials`, `burials-of:<queue>`: sorted sets of the seqs of buried entries, of all queues and of one
 * - `buried-at`: sorted set of these seqs, by the time of burial
 *
 * A queue is in `ready` and `heads` exactly while its stream has entries.
 */

import { clientSums } from '../link/client-sums.ts'
import { takeArgument } from '../link/script.ts'
import { bodySize, paging } from '../link/stream-pages.ts'

export const keys = `
local base = KEYS[1]
local ready, heads, holders, counts = base .. 'ready', base .. 'heads', base .. 'holders', base .. 'counts'
local buried, burials, buriedAt = base .. 'buried', base .. 'burials', base .. 'buried-at'
local bytesOfQueues, bytesOfClients = base .. 'bytes', base .. 'client-bytes'
local function streamOf(queue) return base .. 'queue:' .. queue end
local function burialsOf(queue) return base .. 'burials-of:' .. queue end
local function bodyOf(name) return base .. 'body:' .. name end
-- As in pub-sub.ts: a Redis that tells its version to scripts is 7.0 or newer.
local function tellWatchers() redis.call(redis.REDIS_VERSION_NUM and 'SPUBLISH' or 'PUBLISH', base .. 'work', '') end
${takeArgument}-- Lua formats whole numbers up to 1e14 without an exponent.
local function toId(seq) return seq .. '-0' end
-- Calls a command with up to 1,000 elements of the list at a time: one call with many arguments costs as much as one with few.
local function call(list, ...)
  local first, given = 1, {...}
  while first <= #list do
    local last = math.min(first + 999, #list)
    for n = first, last do given[select('#', ...) + 1 + n - first] = list[n] end
    redis.call(unpack(given, 1, select('#', ...) + 1 + last - first))
    first = last + 1
  end
end
`

// An entry is {id, {'at', time, 'body', text}}, or {id, {'at', time, 'name', name}} for a body that has its own key.
// `makeReady` makes queues ready for a lease. Its list has a time and a queue for each queue that got an entry.
export const queues = `${bodySize}${clientSums}
-- Returns the sums of the queue and of its client.
local function addBytes(queue, bytes) return addTo(bytesOfQueues, queue, bytes), addToClient(queue, bytes) end
local function put(queue, seq, now, field, text)
  redis.call('XADD', streamOf(queue), toId(seq), 'at', now, field, text)
end
local function makeReady(waiting)
  call(waiting, 'ZADD', ready, 'NX')
  call(waiting, 'ZADD', heads, 'NX')
end
local function headOf(queue) return redis.call('XRANGE', streamOf(queue), '-', '+', 'COUNT', 1)[1] end
`

// For scripts that also have `queues`. A buried entry is {seq, queue, time of the append, body, reason, time of the
// burial, name}; either the body or its name is ''. `takeBuried` leaves the body's key and the sums of bytes unchanged.
export const burying = `
local function takeBuried(seq)
  local packed = redis.call('HGET', buried, seq)
  if not packed then return nil end
  local entry = cmsgpack.unpack(packed)
  redis.call('HDEL', buried, seq)
  redis.call('ZREM', burials, seq)
  redis.call('ZREM', burialsOf(entry[2]), seq)
  redis.call('ZREM', buriedAt, seq)
  return entry
end
local function nameOf(entry) return entry[7] ~= '' and entry[7] or nil end
-- Returns the size of the deleted body.
local function deleteBuried(seq)
  local entry = takeBuried(seq)
  if not entry then return 0 end
  local name = nameOf(entry)
  if name then redis.call('UNLINK', bodyOf(name)) end
  local bytes = sizeOf(name and 'name' or 'body', name or entry[4])
  addBytes(entry[2], -bytes)
  return bytes
end
`

// `beginningOf` returns an entry's text, or the named body itself, up to a number of bytes.
export const reading = `${paging}
local function beginningOf(field, text, bytes)
  if field == 'name' then return redis.call('GETRANGE', bodyOf(text), 0, bytes - 1) end
  return string.sub(text, 1, bytes)
end
local function read(stream, from, most)
  return readPage(most, 4, function(count, last)
    return redis.call('XRANGE', stream, last and '(' .. last or from, '+', 'COUNT', count)
  end)
end
`
