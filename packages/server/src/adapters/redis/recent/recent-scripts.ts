/**
 * The scripts for recent reports. Each script is atomic.
 * KEYS[1] is the prefix of these keys:
 * - `reports:<device>`: stream of the device's reports; the id is `<time>-<seq>`
 * - `body:<name>`: a large report; its stream entry has only the name
 * - `tally:<device>`: hash of the last seq, the last time, the number of named reports (`named`), the size of all
 *   reports (`bytes`), the time of the newest report that was deleted because of the bound (`truncated`), and for each
 *   minute the number of reports (`r<minute>`) and of positions (`p<minute>`)
 * - `client-bytes`: hash from clients to the size of all reports of their devices
 * - `devices`: sorted set of devices, by a time at most a minute after their last report
 */
import { recentPageBytes } from '../../../ports/storage/recent-reports.ts'
import { clientSums } from '../link/client-sums.ts'
import { createReadScript, createScript, takeArgument } from '../link/script.ts'
import { bodySize, paging } from '../link/stream-pages.ts'

export const recentKeyNames = `
local base = KEYS[1]
local devices, bytesOfClients = base .. 'devices', base .. 'client-bytes'
local function reportsOf(device) return base .. 'reports:' .. device end
local function tallyOf(device) return base .. 'tally:' .. device end
local function bodyOf(name) return base .. 'body:' .. name end
${takeArgument}`

/**
 * `drop(reports, totals, old)` deletes entries of a stream with their bodies, and subtracts them from the totals. It
 * needs `bodySize`.
 */
const dropReports = `
local function drop(reports, totals, old)
  local ids = {}
  for n, entry in ipairs(old) do
    local field, text = entry[2][7], entry[2][8]
    ids[n] = entry[1]
    totals.bytes = totals.bytes - sizeOf(field, text)
    if field == 'name' then
      redis.call('UNLINK', bodyOf(text))
      totals.named = totals.named - 1
    end
  end
  if #ids > 0 then redis.call('XDEL', reports, unpack(ids)) end
end
`

/**
 * Adds reports. They were already accepted, so they are written even while memory is full.
 * KEYS[2]: the prefix of the keys of bodies in the report log.
 * ARGV: per call: device, start of the window, its minute, maximum number of reports, their maximum bytes, maximum
 * bytes of all reports of the client, number of entries; per entry: seq, time, minute, positions, tags, then 'report'
 * and the report, or 'name' and the name of its body in the log, which is copied.
 * Ids in a stream must increase. Clocks of processes differ, so an id has the latest time of all reports up to this
 * one. Returns the changed sums of clients. The oldest reports are removed together, once 64, or a sixteenth of the
 * bound, exceed it; at once if the client has too many bytes.
 */
export const appendRecentScript = createScript(`${recentKeyNames}${paging}${clientSums}${dropReports}
local function dropBeyond(reports, totals, keep, maxBytes, beyondClient)
  local length = redis.call('XLEN', reports)
  local over, beyond = length - keep, math.max(totals.bytes - maxBytes, beyondClient)
  if over < math.min(64, keep / 16) and beyond < maxBytes / 16 and beyondClient <= 0 then return end
  while true do
    local old = {}
    for _, entry in ipairs(redis.call('XRANGE', reports, '-', '+', 'COUNT', 64)) do
      if length == 1 or over <= 0 and beyond <= 0 then break end
      old[#old + 1] = entry
      length, over, beyond = length - 1, over - 1, beyond - sizeOf(entry[2][7], entry[2][8])
    end
    drop(reports, totals, old)
    if #old > 0 then totals.truncated = string.match(old[#old][1], '^%d+') end
    if #old < 64 then return end
  end
end
local function dropBefore(reports, totals, since)
  while tonumber(since) > 0 do
    local old = redis.call('XRANGE', reports, '-', since - 1, 'COUNT', 64)
    drop(reports, totals, old)
    if #old < 64 then return end
  end
end
local function forget(tally, sinceMinute)
  for _, field in ipairs(redis.call('HKEYS', tally)) do
    local minute = tonumber(string.match(field, '^[rp](%d+)$'))
    if minute and minute < sinceMinute then redis.call('HDEL', tally, field) end
  end
end
local function append(device, since, sinceMinute, keep, maxBytes, maxBytesOfClient, entries)
  local reports, tally = reportsOf(device), tallyOf(device)
  local given, fields, columns = {}, {'seq', 'time', 'named', 'bytes', 'truncated'}, {}
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
  local lastSeq, lastTime = tonumber(found[1] or 0), tonumber(found[2] or 0)
  local totals = {named = tonumber(found[3] or 0), bytes = tonumber(found[4] or 0), truncated = found[5]}
  local bytesBefore = totals.bytes
  local written, isNewMinute = false, false
  for _, entry in ipairs(given) do
    local seq, time, minute, positions, tags, field, text = unpack(entry)
    local isTaken = tonumber(seq) > lastSeq
    if isTaken and field == 'name' then
      -- If the body is gone, another process has added this report here and then settled it.
      isTaken = redis.call('COPY', KEYS[2] .. text, bodyOf(text)) == 1
      if isTaken then totals.named = totals.named + 1 end
    end
    if isTaken then
      lastSeq, lastTime, written = tonumber(seq), math.max(lastTime, tonumber(time)), true
      local id = lastTime .. '-' .. seq
      redis.call('XADD', reports, id, 'at', time, 'positions', positions, 'tags', tags, field, text)
      totals.bytes = totals.bytes + sizeOf(field, text)
      local column = columns[minute]
      if not found[column] then isNewMinute = true end
      found[column] = (found[column] or 0) + 1
      found[column + 1] = (found[column + 1] or 0) + positions
    end
  end
  if not written then return end
  local ofClient = addToClient(device, totals.bytes - bytesBefore)
  local bytesAdded = totals.bytes
  dropBeyond(reports, totals, keep, maxBytes, ofClient - maxBytesOfClient)
  if isNewMinute then
    -- A time after all reports of this minute, so that one update per minute is enough.
    redis.call('ZADD', devices, lastTime + 60000, device)
    forget(tally, sinceMinute)
    dropBefore(reports, totals, since)
  end
  if totals.bytes < bytesAdded then addToClient(device, totals.bytes - bytesAdded) end
  found[1], found[2], found[3], found[4], found[5] = lastSeq, lastTime, totals.named, totals.bytes, totals.truncated
  local changed = {}
  for column, field in ipairs(fields) do
    if found[column] then
      changed[#changed + 1] = field
      changed[#changed + 1] = found[column]
    end
  end
  redis.call('HSET', tally, unpack(changed))
end
while at < #ARGV - 1 do
  append(take(), take(), tonumber(take()), tonumber(take()), tonumber(take()), tonumber(take()), tonumber(take()))
end
return changedClients()`)

/**
 * ARGV: device, id before which to start or '+', start of the window, maximum entries. Returns a page of the stream,
 * newest first, '1' if there are more entries, and the time of the newest report that was deleted because of the bound.
 */
export const listRecentScript = createReadScript(`${recentKeyNames}${paging}
limitPage(${recentPageBytes})
local device, to, since, most = take(), take(), take(), tonumber(take())
local reports = reportsOf(device)
local function read(count, last)
  return redis.call('XREVRANGE', reports, last and '(' .. last or to, since, 'COUNT', count)
end
local page = readPage(most, 8, read)
return {page, #page > 0 and #read(1, page[#page][1]) > 0 and '1' or '', redis.call('HGET', tallyOf(device), 'truncated')}`)

/**
 * ARGV: device; per report: seq, time. Returns the entries that were found. An id has the time of the report or a later
 * one, see `appendRecentScript`, so the next entries are read, too.
 */
export const readRecentScript = createReadScript(`${recentKeyNames}
local device, found = take(), {}
while at < #ARGV - 1 do
  local seq, time = take(), take()
  local ending, from = '-' .. seq, time .. '-' .. seq
  for _, most in ipairs({1, 256}) do
    local match
    for _, entry in ipairs(redis.call('XRANGE', reportsOf(device), from, '+', 'COUNT', most)) do
      if string.sub(entry[1], -#ending) == ending then match = entry end
    end
    if match then
      found[#found + 1] = match
      break
    end
    from = time .. '-0'
  end
end
return found`)

/** ARGV: clients. Returns the bytes of each. */
export const bytesOfClientsScript = createReadScript(`${recentKeyNames}
return redis.call('HMGET', bytesOfClients, unpack(ARGV, 1, #ARGV - 1))`)

/** ARGV: devices. Returns the fields of each device's tally. */
export const tallyScript = createReadScript(`${recentKeyNames}
local tallies = {}
for n = 1, #ARGV - 1 do tallies[n] = redis.call('HGETALL', tallyOf(take())) end
return tallies`)

/** Reports with bodies of their own that a sweep deletes at once. */
const sweptAtOnce = 1_024

/**
 * Deletes devices whose last report is older than a time, until it has deleted many bodies.
 * ARGV: the time, maximum devices. Returns '1' if there may be more.
 */
export const sweepRecentScript = createScript(`${recentKeyNames}${bodySize}${clientSums}${dropReports}
local since, most, read = take(), tonumber(take()), 0
-- Without names, a stream is deleted as a whole.
local function dropNamed(reports, totals)
  while totals.named > 0 and read < ${sweptAtOnce} do
    local old = redis.call('XRANGE', reports, '-', '+', 'COUNT', 64)
    if #old == 0 then return true end
    read = read + #old
    drop(reports, totals, old)
  end
  return totals.named <= 0
end
local old = redis.call('ZRANGEBYSCORE', devices, '-inf', '(' .. since, 'LIMIT', 0, most)
for _, device in ipairs(old) do
  if read >= ${sweptAtOnce} then return '1' end
  local reports, tally = reportsOf(device), tallyOf(device)
  local found = redis.call('HMGET', tally, 'named', 'bytes')
  local totals, before = {named = tonumber(found[1] or 0), bytes = tonumber(found[2] or 0)}, tonumber(found[2] or 0)
  if not dropNamed(reports, totals) then
    redis.call('HSET', tally, 'named', totals.named, 'bytes', totals.bytes)
    addToClient(device, totals.bytes - before)
    return '1'
  end
  addToClient(device, -before)
  redis.call('UNLINK', reports, tally)
  redis.call('ZREM', devices, device)
end
return #old == most and '1' or ''`)
