/** Records the addresses that the process really connects to. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Every address that this process begins to connect to from now on. */
export function watchConnections(): string[] {
  const addresses: string[] = []
  const note = (message: unknown) => {
    // What node publishes on this channel, before a name is looked up.
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string) => void addresses.push(address))
  }
  subscribe('net.client.socket', note)
  onTestFinished(() => void unsubscribe('net.client.socket', note))
  return addresses
}
