/**
 * The scripts for a log: append, lease, settle, wake, depth and list. Each script is atomic. `lua-fragments.ts`
 * describes the keys. KEYS[1] is the prefix of the log's keys.
 */
import { createGrowingScriptAfterWriting, createReadScript, createScript } from '../link/script.ts'
import { burying, keys, queues, reading } from './lua-fragments.ts'

/** Small, because other scripts wait while one reads: a list is not urgent. */
const listPageBytes = 512 * 1024

/**
 * The other KEYS: the bodies that have their own keys.
 * ARGV: now, '1' to publish, a seq that all new seqs are above, number of entries; per call: limits of the bound (0 =
 * none): entries of a queue, bytes of a queue, bytes of a client; number of entries; per entry: queue, then 'body' and
 * the body, or 'name' and the name of the body. Returns the first seq, the number of dropped entries per call, and the
 * changed sums of clients.
 */
const append = `${keys}${queues}${burying}
local now, publishes, above, total = take(), take(), tonumber(take()), tonumber(take())
local seq = redis.call('HINCRBY', counts, 'seq', total) - total
if seq < above then
  seq = above
  redis.call('HSET', counts, 'seq', seq + total)
end
local first, answer, waitingDropped, waiting, waits = seq + 1, {}, 0, {}, {}
-- Deletes the oldest waiting entries while the queue has more than most, or bytes are to be deleted. Returns their number.
local function dropWaiting(queue, most, bytes)
  local stream, dropped, freed = streamOf(queue), 0, 0
  local left = redis.call('XLEN', stream)
  while left > 1 and (most > 0 and left > most or bytes > freed) do
    local entry = headOf(queue)
    local field, text = entry[2][3], entry[2][4]
    redis.call('XDEL', stream, entry[1])
    if field == 'name' then redis.call('UNLINK', bodyOf(text)) end
    left, dropped, freed = left - 1, dropped + 1, freed + sizeOf(field, text)
  end
  if dropped > 0 then
    addBytes(queue, -freed)
    redis.call('ZADD', heads, headOf(queue)[2][2], queue)
    waitingDropped = waitingDropped + dropped
  end
  return dropped
end
local function bind(queue, bytes, most, mostBytes, mostOfClient)
  local ofQueue, ofClient = addBytes(queue, bytes)
  local beyond = math.max(mostBytes > 0 and ofQueue - mostBytes or 0, mostOfClient > 0 and ofClient - mostOfClient or 0)
  local dropped = 0
  while beyond > 0 do
    local oldest = redis.call('ZRANGE', burialsOf(queue), 0, 0)[1]
    if not oldest then break end
    beyond, dropped = beyond - deleteBuried(oldest), dropped + 1
  end
  return dropped + dropWaiting(queue, most, beyond)
end
while at < #ARGV - 1 do
  local most, mostBytes, mostOfClient, entries = tonumber(take()), tonumber(take()), tonumber(take()), tonumber(take())
  local bytes, touched, dropped = {}, {}, 0
  for _ = 1, entries do
    local queue, field, text = take(), take(), take()
    seq = seq + 1
    put(queue, seq, now, field, text)
    if not bytes[queue] then touched[#touched + 1] = queue end
    bytes[queue] = (bytes[queue] or 0) + sizeOf(field, text)
    if not waits[queue] then
      waits[queue] = true
      waiting[#waiting + 1] = now
      waiting[#waiting + 1] = queue
    end
  end
  for _, queue in ipairs(touched) do
    dropped = dropped + bind(queue, bytes[queue], most, mostBytes, mostOfClient)
  end
  answer[#answer + 1] = dropped
end
makeReady(waiting)
redis.call('HINCRBY', counts, 'waiting', total - waitingDropped)
if publishes == '1' then tellWatchers() end
return {first, answer, changedClients()}`

export const appendScript = createGrowingScriptAfterWriting(append)
/** Appends even while memory is full, because the reports of the entries were already accepted. */
export const appendOnwardScript = createScript(append)

/**
 * ARGV: now, end of the leases, maximum queues, maximum entries per queue. Returns the leases, {queue, fence, entries,
 * time from which it was ready} each, and the time from which the next queue is ready; '' if no queue has entries.
 */
export const leaseScript = createScript(`${keys}${reading}
local now, ends, most, entries = take(), take(), take(), tonumber(take())
local function nextReady() return redis.call('ZRANGE', ready, 0, 0, 'WITHSCORES')[2] or '' end
local found = redis.call('ZRANGEBYSCORE', ready, '-inf', now, 'WITHSCORES', 'LIMIT', 0, most)
if #found == 0 then return {{}, nextReady()} end
local fence = redis.call('HINCRBY', counts, 'fence', #found / 2) - #found / 2
local leases, times, granted = {}, {}, {}
for n = 1, #found, 2 do
  if room <= 0 then break end
  local queue = found[n]
  fence = fence + 1
  times[#times + 1] = ends
  times[#times + 1] = queue
  granted[#granted + 1] = queue
  granted[#granted + 1] = fence
  leases[#leases + 1] = {queue, fence, read(streamOf(queue), '-', entries), found[n + 1]}
end
call(times, 'ZADD', ready)
call(granted, 'HSET', holders)
return {leases, nextReady()}`)

/**
 * ARGV: now; per call: queue, fence, time from which the queue may be leased again; number of accepted entries, their
 * seqs; number of buried entries, seq and reason of each; '1' if the accepted entries are known: then the size of the
 * body of each, and the number and the names of those bodies that have their own keys. The seqs increase.
 * Returns 1 per call, or 0 if this lease is no longer the queue's latest; and the changed sums of clients.
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
-- Returns the size of the entry's body.
local function release(queue, seq)
  local entry = find(queue, seq)
  if not entry then return 0 end
  local field, text = entry[2][3], entry[2][4]
  if field == 'name' then bodies[#bodies + 1] = bodyOf(text) end
  return sizeOf(field, text)
end
-- Returns the number of deleted entries.
local function delete(queue, ids)
  local deleted = 0
  for first = 1, #ids, 1000 do
    deleted = deleted + redis.call('XDEL', streamOf(queue), unpack(ids, first, math.min(first + 999, #ids)))
  end
  taken = taken + deleted
  return deleted
end
local function deleteAccepted(queue, ids, seqs, sizes)
  local freed = 0
  if not sizes then
    for _, seq in ipairs(seqs) do freed = freed + release(queue, seq) end
  end
  local deleted = delete(queue, ids)
  -- Entries that a bound has dropped since the lease are the oldest; their bytes were subtracted then.
  for n = #ids - deleted + 1, sizes and #ids or 0 do freed = freed + tonumber(sizes[n]) end
  if freed > 0 then addBytes(queue, -freed) end
end
local function settle(queue, woken, readyAt, before)
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
  local queue, fence, readyAt, accepted, ids, reasons, names = take(), take(), take(), {}, {}, {}, {}
  for n = 1, tonumber(take()) do accepted[n] = take() end
  for n = 1, tonumber(take()) do reasons[n] = {take(), take()} end
  local sizes = take() == '1' and {} or nil
  if sizes then
    for n = 1, #accepted do sizes[n] = take() end
    for n = 1, tonumber(take()) do names[n] = take() end
  end
  local holder = not ended[queue] and redis.call('HGET', holders, queue)
  if holder == fence or holder == fence .. '!' then
    local before, toBury = taken, {}
    for n, seq in ipairs(accepted) do ids[n] = toId(seq) end
    deleteAccepted(queue, ids, accepted, sizes)
    for _, name in ipairs(names) do bodies[#bodies + 1] = bodyOf(name) end
    for n, burial in ipairs(reasons) do
      bury(queue, burial[1], burial[2])
      toBury[n] = toId(burial[1])
    end
    delete(queue, toBury)
    settle(queue, holder ~= fence, readyAt, before)
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
return {answer, changedClients()}`)

/** ARGV: queue. */
export const wakeScript = createScript(`${keys}
local queue = take()
local holder = redis.call('HGET', holders, queue)
if not holder then
  redis.call('ZADD', ready, 'XX', 0, queue)
  tellWatchers()
elseif string.sub(holder, -1) ~= '!' then
  redis.call('HSET', holders, queue, holder .. '!')
end
return 1`)

/**
 * ARGV: queue, or '' for the whole log. Returns the number of waiting entries, of buried entries, and the oldest append
 * time.
 */
export const depthScript = createReadScript(`${keys}
local queue = take()
if queue ~= '' then
  return {redis.call('XLEN', streamOf(queue)), redis.call('ZCARD', burialsOf(queue)), redis.call('ZSCORE', heads, queue)}
end
local oldest = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')
return {redis.call('HGET', counts, 'waiting') or 0, redis.call('ZCARD', burials), oldest[2]}`)

/** ARGV: clients. Returns the bytes of each. */
export const bytesOfClientsScript = createReadScript(`${keys}
return redis.call('HMGET', bytesOfClients, unpack(ARGV, 1, #ARGV - 1))`)

/**
 * ARGV: queue, id to start from, maximum entries, bytes of each body ('' = all). Returns entries; none when there are
 * no more.
 */
export const listScript = createReadScript(`${keys}${reading}
limitPage(${listPageBytes})
local queue, from, most, bytes = take(), take(), tonumber(take()), tonumber(take())
local found = read(streamOf(queue), from, most)
if bytes then
  for _, entry in ipairs(found) do
    local fields = entry[2]
    entry[2] = {fields[1], fields[2], 'body', beginningOf(fields[3], fields[4], bytes)}
  end
end
return found`)
