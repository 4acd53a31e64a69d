/** The end of a contender's program: one line of JSON that says where it listens, and an end on SIGTERM. */
import type { AddressInfo, Server } from 'node:net'

export function tellReady(server: Server, told: Record<string, unknown> = {}): void {
  // Listening on TCP, as all of them do, gives an AddressInfo.
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ event: 'ready', port, ...told })}\n`)
  process.once('SIGTERM', () => process.exit(0))
}
