/**
 * Lets what is written to many sockets within a turn of the event loop go out at its end, one right after the other: sent one
 * by one, with the work for the next message between them, each would wake its receiver anew.
 * In: a socket that is about to be written to. Out: it is corked until the turn ends; then `sent` is called.
 */
import type { Socket } from 'node:net'

export function createEndOfTurn(): (socket: Socket, sent: () => void) => void {
  let held: { socket: Socket; sent: () => void }[] = []

  function letGo(): void {
    const all = held
    held = []
    for (const { socket, sent } of all) {
      socket.uncork()
      sent()
    }
  }

  return (socket, sent) => {
    socket.cork()
    if (held.push({ socket, sent }) === 1) setImmediate(letGo)
  }
}
