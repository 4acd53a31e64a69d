import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toConnection } from '../../src/http/connection.ts'

/** A client whose request is not answered. */
async function aClient() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  return { client, connection: toConnection(request) }
}

test.each([
  ['closes its connection', 'end'],
  ['is gone', 'resetAndDestroy'],
] as const)('a client that %s has left', async (_, leave) => {
  const { client, connection } = await aClient()
  expect(connection.hasLeft()).toBe(false)

  client[leave]()
  await expect.poll(connection.hasLeft).toBe(true)
})

test('a client that is disconnected has left', async () => {
  const { client, connection } = await aClient()
  connection.disconnect()

  expect(connection.hasLeft()).toBe(true)
  await once(client, 'close')
})
