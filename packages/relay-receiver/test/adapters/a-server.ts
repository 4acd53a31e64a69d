/** A server of node:http on a free port. It ends with the test. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Resolves with its origin. */
export async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
