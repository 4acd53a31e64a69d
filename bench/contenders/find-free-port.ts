/** Finds a free port of 127.0.0.1. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
