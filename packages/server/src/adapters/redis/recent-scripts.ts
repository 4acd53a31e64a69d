/**
 * What Redis does for recent reports; each script is one step.
 * KEYS[1] is what the keys begin with. Behind it stand `reports:<device>`, a stream by time and seq; `tally:<device>`, a
 * hash of the last seq, of the last time, and per minute of reports (`r…`) and positions (`p…`); `devices`, by last report.
 */
import { createScript } from './script.ts'

/** A page takes no more than this, but for the entry that reaches it and seven beside that. */
const mostBytes = 2 * 1024 * 1024

const keys = `
local base = KEYS[1]
local devices = base .. 'devices'
local function reportsOf(device) return base .. 'reports:' .. device end
local function tallyOf(device) return base .. 'tally:' .. device end
local at = 0
local function take()
  at = at + 1
  return ARGV[at]
end
`

/**
 * ARGV: per call: device, since when, its minute, how many to keep, how many; per entry: seq, time, minute, positions, tags, report.
 * Times in a stream never go back; where those of two processes do, the later one stands in the id. Trimming is roughly
 * done, node by node, since lists are bounded by themselves.
 * What is written here was accepted before, so also where memory is full.
 */
export const appendRecentScript = createScript(`${keys}
local function count(tally, minutes, sinceMinute)
  local isNew = false
  for minute, counted in pairs(minutes) do
    if redis.call('HINCRBY', tally, 'r' .. minute, counted[1]) == counted[1] then isNew = true end
    redis.call('HINCRBY', tally, 'p' .. minute, counted[2])
  end
  if not isNew then return end
  for _, field in ipairs(redis.call('HKEYS', tally)) do
    local minute = tonumber(string.match(field, '^[rp](%d+)$'))
    if minute and minute < sinceMinute then redis.call('HDEL', tally, field) end
  end
end
local function append(device, since, sinceMinute, keep, entries)
  local reports, tally, minutes = reportsOf(device), tallyOf(device), {}
  local last = redis.call('HMGET', tally, 'seq', 'time')
  local lastSeq, lastTime, written = tonumber(last[1] or 0), tonumber(last[2] or 0), false
  for _ = 1, entries do
    local seq, time, minute, positions, tags, report = take(), take(), take(), take(), take(), take()
    if tonumber(seq) > lastSeq then
      lastSeq, lastTime, written = tonumber(seq), math.max(lastTime, tonumber(time)), true
      redis.call('XADD', reports, 'MAXLEN', '~', keep, lastTime .. '-' .. seq, 'at', time, 'positions', positions,
        'tags', tags, 'report', report)
      local counted = minutes[minute] or {0, 0}
      minutes[minute] = {counted[1] + 1, counted[2] + positions}
    end
  end
  if not written then return end
  redis.call('HSET', tally, 'seq', lastSeq, 'time', lastTime)
  redis.call('ZADD', devices, lastTime, device)
  redis.call('XTRIM', reports, 'MINID', '~', since)
  count(tally, minutes, sinceMinute)
end
local calls = 0
while at < #ARGV - 1 do
  append(take(), take(), tonumber(take()), take(), tonumber(take()))
  calls = calls + 1
end
return calls`)

/** ARGV: device, newest to list or '+', since when, how many. Answers the stream's entries, newest first. */
export const listRecentScript = createScript(`${keys}
local reports, to, since, most = reportsOf(take()), take(), take(), tonumber(take())
local found, room, size = {}, ${mostBytes}, 8
while #found < most and room > 0 do
  local asked = math.min(size, most - #found)
  local page = redis.call('XREVRANGE', reports, to, since, 'COUNT', asked)
  for _, entry in ipairs(page) do
    found[#found + 1] = entry
    room = room - #entry[2][8]
    to = '(' .. entry[1]
  end
  if #page < asked then break end
  size = math.max(1, math.floor(room * #found / math.max(1, ${mostBytes} - room)))
end
return found`)

/** ARGV: devices. Answers the fields of each one's tally. */
export const tallyScript = createScript(`${keys}
local tallies = {}
for n = 1, #ARGV - 1 do tallies[n] = redis.call('HGETALL', tallyOf(take())) end
return tallies`)

/** ARGV: before when, how many at most. Answers how many devices were forgotten. */
export const sweepRecentScript = createScript(`${keys}
local silent = redis.call('ZRANGEBYSCORE', devices, '-inf', '(' .. take(), 'LIMIT', 0, take())
for _, device in ipairs(silent) do
  redis.call('UNLINK', reportsOf(device), tallyOf(device))
  redis.call('ZREM', devices, device)
end
return #silent`)
