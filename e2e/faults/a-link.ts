/**
 * A TCP proxy that simulates a slow network, or one that is cut in one direction.
 * In: a port on this machine. Out: another port that forwards to it. Data that is held back is delivered in order when
 * the link is repaired, even if the other side has closed, like retransmissions of a network.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Direction = 'requests' | 'answers'

export interface Link {
  port: number
  /** From now on every answer is delayed by this time. */
  delayAnswers(ms: number): void
  /** Blocks this direction until `repair`. */
  cut(direction: Direction): void
  repair(): void
  /** The target of new connections. */
  leadTo(port: number): void
  stop(): void
}

export async function aLink(target: number): Promise<Link> {
  let leadsTo = target
  const cuts = new Set<Direction>()
  const sockets = new Set<Socket>()
  const pumps = new Set<() => void>()
  let answersLateMs = 0

  function carry(from: Socket, to: Socket, direction: Direction): void {
    const held: { chunk: Buffer | 'end'; isDue: boolean }[] = []
    const hold = (chunk: Buffer | 'end') => {
      const next = { chunk, isDue: false }
      held.push(next)
      setTimeout(
        () => {
          next.isDue = true
          pump()
        },
        direction === 'answers' ? answersLateMs : 0,
      )
    }
    function pump(): void {
      if (cuts.has(direction)) return
      for (let first = held[0]; first?.isDue; first = held[0]) {
        held.shift()
        if (to.destroyed) continue
        if (first.chunk === 'end') to.end()
        else to.write(first.chunk)
      }
    }
    pumps.add(pump)
    from.on('data', hold).on('error', () => {})
    from.once('close', () => hold('end'))
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: leadsTo, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [near, far]) sockets.add(socket)
    carry(near, far, 'requests')
    carry(far, near, 'answers')
    for (const socket of [near, far]) socket.once('end', () => socket.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo

  return {
    port,
    delayAnswers: (ms) => void (answersLateMs = ms),
    cut: (direction) => void cuts.add(direction),
    repair() {
      cuts.clear()
      for (const pump of pumps) pump()
    },
    leadTo: (port) => void (leadsTo = port),
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
