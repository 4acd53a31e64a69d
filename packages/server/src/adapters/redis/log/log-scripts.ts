/**
 * The scripts for a log: append, lease, settle, wake, depth and list. Each script is atomic. `lua-fragments.ts` describes the keys.
 * KEYS[1] is the prefix of the log's keys.
 */
import { createGrowingScriptAfterWriting, createScript } from '../link/script.ts'
import { keys, queues, reading } from './lua-fragments.ts'

/**
 * The other KEYS: the bodies that have their own keys.
 * ARGV: now, '1' to publish, number of entries; per call: bound (0 = none), number of entries; per entry: queue, then 'body' and
 * the body, or 'name' and the name of the body. Returns the first seq, then the number of dropped entries per call.
 */
const append = `${keys}${queues}
local now, publishes, total = take(), take(), tonumber(take())
local seq = redis.call('HINCRBY', counts, 'seq', total) - total
local answer, droppedInAll, waiting, waits = {seq + 1}, 0, {}, {}
local function bind(queue, bound)
  local over = redis.call('XLEN', streamOf(queue)) - bound
  if over <= 0 then return 0 end
  local gone, bodies = {}, {}
  for n, entry in ipairs(redis.call('XRANGE', streamOf(queue), '-', '+', 'COUNT', over)) do
    gone[n] = entry[1]
    if entry[2][3] == 'name' then bodies[#bodies + 1] = bodyOf(entry[2][4]) end
  end
  call(gone, 'XDEL', streamOf(queue))
  call(bodies, 'UNLINK')
  redis.call('ZADD', heads, headOf(queue)[2][2], queue)
  return over
end
while at < #ARGV - 1 do
  local bound, entries, dropped = tonumber(take()), tonumber(take()), 0
  for _ = 1, entries do
    local queue = take()
    seq = seq + 1
    put(queue, seq, now, take(), take())
    if not waits[queue] then
      waits[queue] = true
      waiting[#waiting + 1] = now
      waiting[#waiting + 1] = queue
    end
    if bound > 0 then dropped = dropped + bind(queue, bound) end
  end
  answer[#answer + 1] = dropped
  droppedInAll = droppedInAll + dropped
end
await(waiting)
redis.call('HINCRBY', counts, 'waiting', total - droppedInAll)
if publishes == '1' then redis.call('PUBLISH', base .. 'work', '') end
return answer`

export const appendScript = createGrowingScriptAfterWriting(append)
/** Appends deliveries even while memory is full, because their reports were already accepted. */
export const appendOnwardScript = createScript(append)

/** ARGV: now, end of the leases, maximum queues, maximum entries per queue. Returns {queue, fence, entries} per lease. */
export const leaseScript = createScript(`${keys}${reading}
local now, ends, most, entries = take(), take(), take(), tonumber(take())
local names = redis.call('ZRANGEBYSCORE', ready, '-inf', now, 'LIMIT', 0, most)
if #names == 0 then return {} end
local fence = redis.call('HINCRBY', counts, 'fence', #names) - #names
local leases, times, granted = {}, {}, {}
for _, queue in ipairs(names) do
  if room <= 0 then break end
  fence = fence + 1
  times[#times + 1] = ends
  times[#times + 1] = queue
  granted[#granted + 1] = queue
  granted[#granted + 1] = fence
  leases[#leases + 1] = {queue, fence, read(streamOf(queue), '-', entries)}
end
call(times, 'ZADD', ready)
call(granted, 'HSET', holders)
return leases`)

/**
 * ARGV: now; per call: queue, fence, time from which the queue may be leased again; number of accepted entries, their seqs;
 * number of buried entries, seq and reason of each; number of accepted entries whose bodies have their own keys (-1 = unknown),
 * names of these bodies. Returns 1 per call, or 0 if this lease is no longer the queue's latest.
 */
export const settleScript = createScript(`${keys}${queues}
local now = take()
local taken, freed, empty, ended, times, oldest, bodies = 0, {}, {}, {}, {}, {}, {}
local function find(queue, seq) return redis.call('XRANGE', streamOf(queue), toId(seq), toId(seq))[1] end
local function bury(queue, seq, reason)
  local entry = find(queue, seq)
  if not entry then return end
  local body, name = entry[2][4], ''
  if entry[2][3] == 'name' then body, name = '', body end
  redis.call('HSET', buried, seq, cmsgpack.pack({seq, queue, entry[2][2], body, reason, now, name}))
  redis.call('ZADD', burials, seq, seq)
  redis.call('ZADD', burialsOf(queue), seq, seq)
  redis.call('ZADD', buriedAt, now, seq)
end
local function release(queue, seq)
  local entry = find(queue, seq)
  if entry and entry[2][3] == 'name' then bodies[#bodies + 1] = bodyOf(entry[2][4]) end
end
local function settle(queue, woken, readyAt, gone)
  local stream, before = streamOf(queue), taken
  for first = 1, #gone, 1000 do
    taken = taken + redis.call('XDEL', stream, unpack(gone, first, math.min(first + 999, #gone)))
  end
  ended[queue] = true
  freed[#freed + 1] = queue
  local head = headOf(queue)
  if not head then
    empty[#empty + 1] = queue
    return
  end
  times[#times + 1] = woken and 0 or readyAt
  times[#times + 1] = queue
  if taken == before then return end
  oldest[#oldest + 1] = head[2][2]
  oldest[#oldest + 1] = queue
end
local answer = {}
while at < #ARGV - 1 do
  local queue, fence, readyAt, accepted, gone, reasons, names = take(), take(), take(), {}, {}, {}, {}
  for n = 1, tonumber(take()) do accepted[n] = take() end
  for n = 1, tonumber(take()) do reasons[n] = {take(), take()} end
  local known = tonumber(take())
  for n = 1, known do names[n] = take() end
  local holder = not ended[queue] and redis.call('HGET', holders, queue)
  if holder == fence or holder == fence .. '!' then
    for n, seq in ipairs(accepted) do
      gone[n] = toId(seq)
      if known < 0 then release(queue, seq) end
    end
    for _, name in ipairs(names) do bodies[#bodies + 1] = bodyOf(name) end
    for _, burial in ipairs(reasons) do
      bury(queue, burial[1], burial[2])
      gone[#gone + 1] = toId(burial[1])
    end
    settle(queue, holder ~= fence, readyAt, gone)
    answer[#answer + 1] = 1
  else
    answer[#answer + 1] = 0
  end
end
call(freed, 'HDEL', holders)
call(empty, 'ZREM', ready)
call(empty, 'ZREM', heads)
for n, queue in ipairs(empty) do empty[n] = streamOf(queue) end
call(empty, 'DEL')
call(bodies, 'UNLINK')
call(times, 'ZADD', ready)
call(oldest, 'ZADD', heads)
if taken > 0 then redis.call('HINCRBY', counts, 'waiting', -taken) end
return answer`)

/** ARGV: queue. */
export const wakeScript = createScript(`${keys}
local queue = take()
local holder = redis.call('HGET', holders, queue)
if not holder then
  redis.call('ZADD', ready, 'XX', 0, queue)
  redis.call('PUBLISH', base .. 'work', '')
elseif string.sub(holder, -1) ~= '!' then
  redis.call('HSET', holders, queue, holder .. '!')
end
return 1`)

/** ARGV: queue, or '' for the whole log. Returns the number of waiting entries, of buried entries, and the oldest append time. */
export const depthScript = createScript(`${keys}
local queue = take()
if queue ~= '' then
  return {redis.call('XLEN', streamOf(queue)), redis.call('ZCARD', burialsOf(queue)), redis.call('ZSCORE', heads, queue)}
end
local oldest = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')
return {redis.call('HGET', counts, 'waiting') or 0, redis.call('ZCARD', burials), oldest[2]}`)

/** ARGV: queue, id to start from, maximum entries, bytes of each body ('' = all). Returns entries; none when there are no more. */
export const listScript = createScript(`${keys}${reading}
local queue, from, most, bytes = take(), take(), tonumber(take()), tonumber(take())
local found = read(streamOf(queue), from, most)
if bytes then
  for _, entry in ipairs(found) do
    local fields = entry[2]
    entry[2] = {fields[1], fields[2], 'body', beginningOf(fields[3], fields[4], bytes)}
  end
end
return found`)
