/**
 * Lets what is written to many sockets within a turn of the event loop go out at its end, one right after the other: sent one
 * by one, with the work for the next message between them, each would wake its receiver anew.
 * In: a socket that is about to be written to. Out: it is corked until the turn ends; then whoever asked is told, and whether
 * it is still open.
 */
import type { Socket } from 'node:net'

type LetGo = (isOpen: boolean) => void

export function createEndOfTurn(): (socket: Socket, letGo: LetGo) => void {
  let held: { socket: Socket; letGo: LetGo }[] = []

  function endTurn(): void {
    const all = held
    held = []
    for (const { socket, letGo } of all) {
      socket.uncork()
      letGo(!socket.destroyed)
    }
  }

  return (socket, letGo) => {
    socket.cork()
    if (held.push({ socket, letGo }) === 1) setImmediate(endTurn)
  }
}
