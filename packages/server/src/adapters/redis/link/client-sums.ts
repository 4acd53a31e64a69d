/**
 * Lua that counts bytes per client. The scripts of a log and of recent reports share it, and define `bytesOfClients`: a
 * hash from clients to their bytes.
 * `clientOf(queue)`: as in `ports/storage/log.ts`. `addTo(key, name, bytes)` adds to a hash of sums and returns the
 * sum;
 * `addToClient(queue, bytes)` does that for the client of a queue. `changedClients()` returns the clients whose sums
 * the script has changed, each with its sum.
 */
export const clientSums = `
local function clientOf(queue) return string.match(queue, '^[^:]*:[^:]*:[^:]*:[^:]*') or queue end
local function addTo(key, name, bytes)
  local sum = redis.call('HINCRBY', key, name, bytes)
  if sum <= 0 then redis.call('HDEL', key, name) end
  return sum
end
local sumOfClient = {}
local function addToClient(queue, bytes)
  local client = clientOf(queue)
  sumOfClient[client] = addTo(bytesOfClients, client, bytes)
  return sumOfClient[client]
end
local function changedClients()
  local sums = {}
  for client, sum in pairs(sumOfClient) do
    sums[#sums + 1] = client
    sums[#sums + 1] = sum
  end
  return sums
end
`
