/**
 * The scripts for recent reports. Each script is atomic.
 * KEYS[1] is the prefix of these keys:
 * - `reports:<device>`: stream of the device's reports; the id is `<time>-<seq>`
 * - `body:<name>`: a large report; its stream entry has only the name
 * - `tally:<device>`: hash of the last seq, the last time, the number of named reports (`named`), and for each minute the number
 *   of reports (`r<minute>`) and of positions (`p<minute>`)
 * - `devices`: sorted set of devices, by a time at most a minute after their last report
 */

import { createScript, takeArgument } from '../link/script.ts'
import { paging } from '../link/stream-pages.ts'

const keys = `
local base = KEYS[1]
local devices = base .. 'devices'
local function reportsOf(device) return base .. 'reports:' .. device end
local function tallyOf(device) return base .. 'tally:' .. device end
local function bodyOf(name) return base .. 'body:' .. name end
${takeArgument}`

/**
 * Adds reports. They were already accepted, so they are written even while memory is full.
 * KEYS[2]: the prefix of the keys of bodies in the report log.
 * ARGV: per call: device, start of the window, its minute, maximum number of reports, number of entries; per entry: seq, time,
 * minute, positions, tags, then 'report' and the report, or 'name' and the name of its body in the log, which is copied.
 * Ids in a stream must increase. Clocks of processes differ, so an id has the latest time of all reports up to this one.
 * Old reports of a stream without named bodies are removed approximately (`~`), by whole nodes of the stream, because listing
 * applies the exact limits. From a stream with named bodies they are removed exactly, together with their bodies.
 */
export const appendRecentScript = createScript(`${keys}
local function drop(reports, old)
  local named = 0
  for _, entry in ipairs(old) do
    redis.call('XDEL', reports, entry[1])
    if entry[2][7] == 'name' then named = named + redis.call('UNLINK', bodyOf(entry[2][8])) end
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
    if isTaken and field == 'name' then
      -- If the body is gone, another process has added this report here and then settled it.
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
    -- A time after all reports of this minute, so that one update per minute is enough.
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

/** ARGV: device, id to start from or '+', start of the window, maximum entries. Returns entries of the stream, newest first. */
export const listRecentScript = createScript(`${keys}${paging}
local reports, to, since, most = reportsOf(take()), take(), take(), tonumber(take())
return readPage(most, 8, function(count, last)
  return redis.call('XREVRANGE', reports, last and '(' .. last or to, since, 'COUNT', count)
end)`)

/** ARGV: devices. Returns the fields of each device's tally. */
export const tallyScript = createScript(`${keys}
local tallies = {}
for n = 1, #ARGV - 1 do tallies[n] = redis.call('HGETALL', tallyOf(take())) end
return tallies`)

/** Deletes devices whose last report is older than a time. ARGV: the time, maximum devices. Returns the number deleted. */
export const sweepRecentScript = createScript(`${keys}
local old = redis.call('ZRANGEBYSCORE', devices, '-inf', '(' .. take(), 'LIMIT', 0, take())
for _, device in ipairs(old) do
  if tonumber(redis.call('HGET', tallyOf(device), 'named') or 0) > 0 then
    for _, entry in ipairs(redis.call('XRANGE', reportsOf(device), '-', '+')) do
      if entry[2][7] == 'name' then redis.call('UNLINK', bodyOf(entry[2][8])) end
    end
  end
  redis.call('UNLINK', reportsOf(device), tallyOf(device))
  redis.call('ZREM', devices, device)
end
return #old`)
