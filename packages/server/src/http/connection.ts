/**
 * The client's connection as handlers see it. In: a request. Out: whether its client is still there, and a way to
 * disconnect it.
 */
import type { IncomingMessage } from 'node:http'

export interface Connection {
  hasLeft(): boolean
  disconnect(): void
}

export function toConnection({ socket }: IncomingMessage): Connection {
  return { hasLeft: () => !socket.writable, disconnect: () => void socket.destroy() }
}

/** Of a caller in this process, which takes everything at once. */
export const noConnection: Connection = { hasLeft: () => false, disconnect: () => {} }
