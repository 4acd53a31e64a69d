/**
 * The scripts for recent reports; each is one step.
 * KEYS[1] is the prefix of the keys: `reports:<device>`, a stream by time and seq; `body:<name>`, a report
 * that its entry names instead of having it; `tally:<device>`, a hash of the last seq, of the last time, of how many reports
 * are named, and per minute of reports (`r…`) and positions (`p…`); `devices`,
 * by the latest time at which they may have reported.
 */
import { createScript, takeArgument } from '../link/script.ts'

/** Limit of a page. The entry that reaches it is still taken, and up to seven that were read with it. */
const mostBytes = 2 * 1024 * 1024

const keys = `
local base = KEYS[1]
local devices = base .. 'devices'
local function reportsOf(device) return base .. 'reports:' .. device end
local function tallyOf(device) return base .. 'tally:' .. device end
local function bodyOf(name) return base .. 'body:' .. name end
${takeArgument}`

/**
 * KEYS[2]: what the keys of bodies in the report log begin with.
 * ARGV: per call: device, since when, its minute, how many to keep, how many; per entry: seq, time, minute, positions, tags,
 * 'report' and the report, or 'kept' and the name of its body in the log, of which this keeps a copy.
 * Times in a stream never go back; where those of two processes do, the later one stands in the id. Trimming is roughly
 * done, node by node and once a minute, since lists are bounded by themselves; exactly, where bodies go with their entries.
 * The reports were accepted, so they are written even while memory is full.
 */
export const appendRecentScript = createScript(`${keys}
local function drop(reports, old)
  local named = 0
  for _, entry in ipairs(old) do
    redis.call('XDEL', reports, entry[1])
    if entry[2][7] == 'kept' then named = named + redis.call('UNLINK', bodyOf(entry[2][8])) end
  end
  return named
end
local function forget(tally, sinceMinute)
  for _, field in ipairs(redis.call('HKEYS', tally)) do
    local minute = tonumber(string.match(field, '^[rp](%d+)$'))
    if minute and minute < sinceMinute then redis.call('HDEL', tally, field) end
  end
end
local function append(device, since, sinceMinute, keep, entries)
  local reports, tally = reportsOf(device), tallyOf(device)
  local given, fields, columns = {}, {'seq', 'time', 'named'}, {}
  for n = 1, entries do
    local entry = {take(), take(), take(), take(), take(), take(), take()}
    local minute = entry[3]
    if not columns[minute] then
      columns[minute] = #fields + 1
      fields[#fields + 1] = 'r' .. minute
      fields[#fields + 1] = 'p' .. minute
    end
    given[n] = entry
  end
  local found = redis.call('HMGET', tally, unpack(fields))
  local lastSeq, lastTime, named = tonumber(found[1] or 0), tonumber(found[2] or 0), tonumber(found[3] or 0)
  local written, isNewMinute = false, false
  for _, entry in ipairs(given) do
    local seq, time, minute, positions, tags, field, text = unpack(entry)
    local isTaken = tonumber(seq) > lastSeq
    if isTaken and field == 'kept' then
      -- Where it is gone, another process has settled the report, and kept it before.
      isTaken = redis.call('COPY', KEYS[2] .. text, bodyOf(text)) == 1
      if isTaken then named = named + 1 end
    end
    if isTaken then
      lastSeq, lastTime, written = tonumber(seq), math.max(lastTime, tonumber(time)), true
      local id = lastTime .. '-' .. seq
      if named > 0 then
        redis.call('XADD', reports, id, 'at', time, 'positions', positions, 'tags', tags, field, text)
      else
        redis.call('XADD', reports, 'MAXLEN', '~', keep, id, 'at', time, 'positions', positions, 'tags', tags, field, text)
      end
      local column = columns[minute]
      if not found[column] then isNewMinute = true end
      found[column] = (found[column] or 0) + 1
      found[column + 1] = (found[column + 1] or 0) + positions
    end
  end
  if not written then return end
  if named > 0 then
    local over = redis.call('XLEN', reports) - keep
    if over > 0 then named = named - drop(reports, redis.call('XRANGE', reports, '-', '+', 'COUNT', over)) end
  end
  if isNewMinute then
    -- Until the minute is over, so that once a minute is enough.
    redis.call('ZADD', devices, lastTime + 60000, device)
    forget(tally, sinceMinute)
    if named == 0 then
      redis.call('XTRIM', reports, 'MINID', '~', since)
    elseif tonumber(since) > 0 then
      named = named - drop(reports, redis.call('XRANGE', reports, '-', since - 1))
    end
  end
  found[1], found[2], found[3] = lastSeq, lastTime, named
  local changed = {}
  for column, field in ipairs(fields) do
    if found[column] then
      changed[#changed + 1] = field
      changed[#changed + 1] = found[column]
    end
  end
  redis.call('HSET', tally, unpack(changed))
end
local calls = 0
while at < #ARGV - 1 do
  append(take(), take(), tonumber(take()), tonumber(take()), tonumber(take()))
  calls = calls + 1
end
return calls`)

/** ARGV: device, newest to list or '+', since when, how many. Answers the stream's entries, newest first. */
export const listRecentScript = createScript(`${keys}
local reports, to, since, most = reportsOf(take()), take(), take(), tonumber(take())
local found, room, size = {}, ${mostBytes}, 8
local function sizeOf(field, text)
  if field == 'kept' then return tonumber(string.match(text, ':(%d+)$')) end
  return #text
end
while #found < most and room > 0 do
  local asked = math.min(size, most - #found)
  local page = redis.call('XREVRANGE', reports, to, since, 'COUNT', asked)
  for _, entry in ipairs(page) do
    found[#found + 1] = entry
    room = room - sizeOf(entry[2][7], entry[2][8])
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
  if tonumber(redis.call('HGET', tallyOf(device), 'named') or 0) > 0 then
    for _, entry in ipairs(redis.call('XRANGE', reportsOf(device), '-', '+')) do
      if entry[2][7] == 'kept' then redis.call('UNLINK', bodyOf(entry[2][8])) end
    end
  end
  redis.call('UNLINK', reportsOf(device), tallyOf(device))
  redis.call('ZREM', devices, device)
end
return #silent`)
