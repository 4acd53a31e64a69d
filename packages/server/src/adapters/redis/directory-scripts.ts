/**
 * The scripts for `Directory`. Each script is atomic. Unless its comment differs:
 * KEYS: the record (for several records, the part of the key before the id), the ids of its kind, the unique values of
 * its kind. ARGV[1]: the part of an index's key before the index's name.
 */
import { createGrowingScript, createReadScript, createScript } from './link/script.ts'

const lists = `
local function list(by, id)
  for _, index in ipairs(cjson.decode(by)) do redis.call('ZADD', ARGV[1] .. index, 0, id) end
end
local function unlist(by, id)
  for _, index in ipairs(cjson.decode(by)) do redis.call('ZREM', ARGV[1] .. index, id) end
end
`

/** KEYS: records. Returns {version, value} per record, or {} for a record that does not exist. */
export const findScript = createReadScript(`
local found = {}
for n = 1, #KEYS - 2 do
  local record = redis.call('HMGET', KEYS[n], 'version', 'value')
  found[n] = record[1] and record or {}
end
return found`)

/**
 * ARGV[2]: the records, as JSON. Returns the indexes of the records whose id or unique value is taken; if there are
 * none, writes all.
 */
export const insertScript = createGrowingScript(`${lists}
local records = cjson.decode(ARGV[2])
local ids, uniques, conflicts = {}, {}, {}
for index, record in ipairs(records) do
  local taken = ids[record.id] or redis.call('EXISTS', KEYS[1] .. record.id) == 1
  ids[record.id] = true
  for _, value in ipairs(cjson.decode(record.unique)) do
    taken = taken or uniques[value] or redis.call('HEXISTS', KEYS[3], value) == 1
    uniques[value] = true
  end
  if taken then conflicts[#conflicts + 1] = index - 1 end
end
if #conflicts > 0 then return conflicts end
for _, record in ipairs(records) do
  local id, by, unique = record.id, record.by, record.unique
  for _, value in ipairs(cjson.decode(unique)) do redis.call('HSET', KEYS[3], value, id) end
  redis.call('HSET', KEYS[1] .. id, 'version', 1, 'value', record.value, 'by', by, 'unique', unique)
  redis.call('ZADD', KEYS[2], 0, id)
  list(by, id)
end
return conflicts`)

/** ARGV: …, id, version that was read, value, indexes. Returns 0 if another writer has changed the record since. */
export const replaceScript = createGrowingScript(`${lists}
local id, version, value, by = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if redis.call('HGET', KEYS[1], 'version') ~= version then return 0 end
local before = redis.call('HGET', KEYS[1], 'by')
if before ~= by then unlist(before, id) end
redis.call('HSET', KEYS[1], 'version', version + 1, 'value', value, 'by', by)
if before ~= by then list(by, id) end
return 1`)

/** ARGV: …, id. Returns 0 if the record does not exist. */
export const removeScript = createScript(`${lists}
local id = ARGV[2]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
unlist(redis.call('HGET', KEYS[1], 'by'), id)
for _, value in ipairs(cjson.decode(redis.call('HGET', KEYS[1], 'unique'))) do redis.call('HDEL', KEYS[3], value) end
redis.call('ZREM', KEYS[2], id)
redis.call('DEL', KEYS[1])
return 1`)

/**
 * KEYS: the part of a record's key before the id, a sorted set of ids. ARGV: id to start from, maximum. Returns values.
 */
export const listScript = createReadScript(`
local values = {}
for _, id in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], '+', 'LIMIT', 0, ARGV[2])) do
  values[#values + 1] = redis.call('HGET', KEYS[1] .. id, 'value')
end
return values`)

/** KEYS: a sorted set of ids. Returns how many it has. */
export const countScript = createReadScript(`return redis.call('ZCARD', KEYS[1])`)
