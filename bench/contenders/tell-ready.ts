/** Prints a contender's ready line, JSON with its port, and stops the server on SIGTERM. */
import type { AddressInfo, Server } from 'node:net'

export function tellReady(server: Server, told: Record<string, unknown> = {}): void {
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ event: 'ready', port, ...told })}\n`)
  process.once('SIGTERM', () => process.exit(0))
}
