/**
 * What Redis does for a log; each script is one step.
 * KEYS[1] is what the log's keys begin with. Behind it stand
 * `line:<line>`, a stream of the line's entries by their seq; `ready`, lines by when they may be leased;
 * `heads`, lines by when their oldest entry was appended; `held`, the fence of who holds a line, with `!` if it was woken;
 * `counts`; `buried`, what was buried by its seq; `burials`, their seqs in order, and in `burials-of:<line>` of one line;
 * `buried-at`, by when.
 * A line is in `ready` and `heads` exactly while its stream has entries.
 */
import { createGrowingScript, createScript } from './script.ts'

/** A lease, or a page of a list, takes no more than this, but for the entry that reaches it and seven beside that. */
const mostBytes = 2 * 1024 * 1024

const keys = `
local base = KEYS[1]
local ready, heads, held, counts = base .. 'ready', base .. 'heads', base .. 'held', base .. 'counts'
local buried, burials, buriedAt = base .. 'buried', base .. 'burials', base .. 'buried-at'
local function streamOf(line) return base .. 'line:' .. line end
local function burialsOf(line) return base .. 'burials-of:' .. line end
local at = 0
local function take()
  at = at + 1
  return ARGV[at]
end
-- Lua writes whole numbers up to 1e14 as they are.
local function toId(seq) return seq .. '-0' end
`

// Of an entry: {id, {'at', time, 'body', text}}.
const lines = `
local function put(line, seq, now, body)
  redis.call('XADD', streamOf(line), toId(seq), 'at', now, 'body', body)
  if redis.call('ZADD', ready, 'NX', now, line) == 1 then redis.call('ZADD', heads, now, line) end
end
local function head(line)
  local first = redis.call('XRANGE', streamOf(line), '-', '+', 'COUNT', 1)[1]
  redis.call('ZADD', heads, first[2][2], line)
end
`

const reading = `
local room = ${mostBytes}
local function read(stream, from, most)
  local found, size = {}, 8
  while #found < most and room > 0 do
    local asked = math.min(size, most - #found)
    local page = redis.call('XRANGE', stream, from, '+', 'COUNT', asked)
    for _, entry in ipairs(page) do
      found[#found + 1] = entry
      for _, text in ipairs(entry[2]) do room = room - #text end
      from = '(' .. entry[1]
    end
    if #page < asked then break end
    size = math.max(1, math.floor(room * #found / math.max(1, ${mostBytes} - room)))
  end
  return found
end
`

/** ARGV: now, '1' to tell others, how many entries; per call: the bound or 0, how many; per entry: line, body. Answers the first seq, then drops per call. */
const append = `${keys}${lines}
local now, tell, total = take(), take(), tonumber(take())
local seq = redis.call('HINCRBY', counts, 'seq', total) - total
local answer, droppedInAll = {seq + 1}, 0
while at < #ARGV - 1 do
  local bound, entries, dropped = tonumber(take()), tonumber(take()), 0
  for _ = 1, entries do
    local line, body = take(), take()
    seq = seq + 1
    put(line, seq, now, body)
    if bound > 0 and redis.call('XLEN', streamOf(line)) > bound then
      dropped = dropped + redis.call('XTRIM', streamOf(line), 'MAXLEN', '=', bound)
      head(line)
    end
  end
  answer[#answer + 1] = dropped
  droppedInAll = droppedInAll + dropped
end
redis.call('HINCRBY', counts, 'waiting', total - droppedInAll)
if tell == '1' then redis.call('PUBLISH', base .. 'notes', '') end
return answer`

export const appendScript = createGrowingScript(append)
/** For what was accepted already and has to go on, also where memory is full. */
export const appendOnwardScript = createScript(append)

/** ARGV: now, when the leases end, how many lines, how many entries of each. Answers {line, fence, entries} each. */
export const leaseScript = createScript(`${keys}${reading}
local now, ends, most, entries = take(), take(), take(), tonumber(take())
local names = redis.call('ZRANGEBYSCORE', ready, '-inf', now, 'LIMIT', 0, most)
local leases = {}
for _, line in ipairs(names) do
  if room <= 0 then break end
  local fence = redis.call('HINCRBY', counts, 'fence', 1)
  redis.call('ZADD', ready, ends, line)
  redis.call('HSET', held, line, fence)
  leases[#leases + 1] = {line, fence, read(streamOf(line), '-', entries)}
end
return leases`)

/**
 * ARGV: now; per call: line, fence, when the line may be leased again, how many accepted, their seqs, how many buried,
 * seq and reason of each. Answers 1 per call, or 0 where somebody else holds the line.
 */
export const settleScript = createScript(`${keys}${lines}
local now = take()
local function bury(line, seq, reason)
  local entry = redis.call('XRANGE', streamOf(line), toId(seq), toId(seq))[1]
  if not entry then return end
  redis.call('HSET', buried, seq, cmsgpack.pack({seq, line, entry[2][2], entry[2][4], reason, now}))
  redis.call('ZADD', burials, seq, seq)
  redis.call('ZADD', burialsOf(line), seq, seq)
  redis.call('ZADD', buriedAt, now, seq)
end
local function settle(line, fence, readyAt, gone)
  local stream, woken = streamOf(line), redis.call('HGET', held, line) == fence .. '!'
  redis.call('HDEL', held, line)
  local taken = 0
  for first = 1, #gone, 1000 do
    taken = taken + redis.call('XDEL', stream, unpack(gone, first, math.min(first + 999, #gone)))
  end
  if taken > 0 then redis.call('HINCRBY', counts, 'waiting', -taken) end
  if redis.call('XLEN', stream) == 0 then
    redis.call('DEL', stream)
    redis.call('ZREM', ready, line)
    redis.call('ZREM', heads, line)
    return
  end
  redis.call('ZADD', ready, woken and 0 or readyAt, line)
  if taken > 0 then head(line) end
end
local answer = {}
while at < #ARGV - 1 do
  local line, fence, readyAt, gone, reasons = take(), take(), take(), {}, {}
  for n = 1, tonumber(take()) do gone[n] = toId(take()) end
  for n = 1, tonumber(take()) do reasons[n] = {take(), take()} end
  local holder = redis.call('HGET', held, line)
  if holder == fence or holder == fence .. '!' then
    for _, burial in ipairs(reasons) do
      bury(line, burial[1], burial[2])
      gone[#gone + 1] = toId(burial[1])
    end
    settle(line, fence, readyAt, gone)
    answer[#answer + 1] = 1
  else
    answer[#answer + 1] = 0
  end
end
return answer`)

/** ARGV: line. */
export const wakeScript = createScript(`${keys}
local line = take()
local holder = redis.call('HGET', held, line)
if not holder then
  redis.call('ZADD', ready, 'XX', 0, line)
  redis.call('PUBLISH', base .. 'notes', '')
elseif string.sub(holder, -1) ~= '!' then
  redis.call('HSET', held, line, holder .. '!')
end
return 1`)

/** ARGV: line, or '' for the whole log. Answers what waits, what is buried, and since when the oldest waits. */
export const depthScript = createScript(`${keys}
local line = take()
if line ~= '' then
  return {redis.call('XLEN', streamOf(line)), redis.call('ZCARD', burialsOf(line)), redis.call('ZSCORE', heads, line)}
end
local oldest = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')
return {redis.call('HGET', counts, 'waiting') or 0, redis.call('ZCARD', burials), oldest[2]}`)

/** ARGV: line, where to start, how many. Answers entries; none when there are no more. */
export const listScript = createScript(`${keys}${reading}
local line, from, most = take(), take(), tonumber(take())
return read(streamOf(line), from, most)`)

/** ARGV: line or '', the seq behind which to start, how many. Answers {seq, line, at, body, reason, buriedAt} each. */
export const listBuriedScript = createScript(`${keys}
local line, after, most, room, found = take(), take(), take(), ${mostBytes}, {}
local listed = line == '' and burials or burialsOf(line)
for _, seq in ipairs(redis.call('ZRANGEBYSCORE', listed, '(' .. after, '+inf', 'LIMIT', 0, most)) do
  if room <= 0 then break end
  found[#found + 1] = cmsgpack.unpack(redis.call('HGET', buried, seq))
  room = room - #found[#found][4]
end
return found`)

const digging = `
local function unearth(seq)
  local packed = redis.call('HGET', buried, seq)
  if not packed then return nil end
  local entry = cmsgpack.unpack(packed)
  redis.call('HDEL', buried, seq)
  redis.call('ZREM', burials, seq)
  redis.call('ZREM', burialsOf(entry[2]), seq)
  redis.call('ZREM', buriedAt, seq)
  return entry
end
`

/** ARGV: now, seqs. Answers how many were there. */
export const unburyScript = createGrowingScript(`${keys}${lines}${digging}
local now, found = take(), 0
while at < #ARGV - 1 do
  local entry = unearth(take())
  if entry then
    put(entry[2], redis.call('HINCRBY', counts, 'seq', 1), now, entry[4])
    found = found + 1
  end
end
if found > 0 then
  redis.call('HINCRBY', counts, 'waiting', found)
  redis.call('PUBLISH', base .. 'notes', '')
end
return found`)

/** ARGV: before when, how many at most. Answers how many. */
export const forgetBuriedScript = createScript(`${keys}${digging}
local old = redis.call('ZRANGEBYSCORE', buriedAt, '-inf', '(' .. take(), 'LIMIT', 0, take())
for _, seq in ipairs(old) do unearth(seq) end
return #old`)
