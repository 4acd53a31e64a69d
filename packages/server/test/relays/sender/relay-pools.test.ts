import { buildConnector } from 'undici'
import { expect, test } from 'vitest'
import { createRelayPools } from '../../../src/relays/sender/relay-pools.ts'

test('above the limit, idle connections are closed, the least recently used first, and connections in use stay', async () => {
  const pools = createRelayPools({ connect: buildConnector({}), maxIdle: 100, connectionAgeMs: 30_000 })
  const inUse = pools.take('https://busy.example')
  const connections = Array.from({ length: 3_000 }, (_, n) => {
    const connection = pools.take(`https://relay${n}.example`)
    pools.putBack(connection)
    return connection
  })
  expect(connections.filter(({ client }) => !client.destroyed)).toEqual(connections.slice(-100))
  expect(pools.take('https://relay2999.example')).toBe(connections.at(-1))
  expect(pools.take('https://relay2999.example')).not.toBe(connections.at(-1))

  pools.putBack(inUse)
  expect(pools.take('https://busy.example')).toBe(inUse)
  await pools.close()
  expect([inUse, ...connections].every(({ client }) => client.destroyed)).toBe(true)
})
