/**
 * Lua that counts bytes per client. The scripts of a log and of recent reports share it.
 * `clientOf(queue)`: as in `ports/storage/log.ts`. `addTo(key, name, bytes)` adds to a hash of sums and returns the sum.
 */
export const clientSums = `
local function clientOf(queue) return string.match(queue, '^[^:]*:[^:]*:[^:]*:[^:]*') or queue end
local function addTo(key, name, bytes)
  local sum = redis.call('HINCRBY', key, name, bytes)
  if sum <= 0 then redis.call('HDEL', key, name) end
  return sum
end
`
