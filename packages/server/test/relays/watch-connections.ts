/** Records the addresses that the process really connects to. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns a list that grows: every address that this process tries to connect to from now on. */
export function watchConnections(): string[] {
  const addresses: string[] = []
  const record = (message: unknown) => {
    // Node publishes this on the channel before it looks up the name.
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string) => void addresses.push(address))
  }
  subscribe('net.client.socket', record)
  onTestFinished(() => void unsubscribe('net.client.socket', record))
  return addresses
}
