/**
 * Closes connections whose clients take nothing of what is written to them for 30 s, whatever writes it: a page, a
 * list, a stream, an error.
 * In: a node:http server, over TLS or not. Bodies are written in pieces (`http/pieces.ts`), so that a slow client shows
 * progress.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/clock.ts'

const stalledMs = 30_000
const checkEveryMs = 5_000

/** What the client had taken when more was waiting, and since when it has taken no more. */
interface Untaken {
  takenBytes: number
  sinceMs: number
}

export function closeStalledConnections(server: Server, clock: Clock): void {
  /** Open connections. Undefined: nothing waits for the client. */
  const connections = new Map<Socket, Untaken | undefined>()
  const closed = new AbortController()
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    while (connections.size > 0 && !closed.signal.aborted) {
      await clock.sleep(checkEveryMs, closed.signal)
      for (const [socket, before] of connections) {
        const now = toUntaken(socket, clock.now())
        if (!now || !before || now.takenBytes > before.takenBytes) connections.set(socket, now)
        else if (now.sinceMs - before.sinceMs >= stalledMs) socket.destroy()
      }
    }
    isWatching = false
  }

  server.on('request', ({ socket }: IncomingMessage) => {
    if (connections.has(socket)) return
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
    if (!isWatching) void watch()
  })
  server.once('close', () => closed.abort())
}

function toUntaken({ writableLength, bytesWritten }: Socket, nowMs: number): Untaken | undefined {
  return writableLength === 0 ? undefined : { takenBytes: bytesWritten - writableLength, sinceMs: nowMs }
}
