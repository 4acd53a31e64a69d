/**
 * Answers the requests of a connection one after another. node:http would begin all that a client sends at once (HTTP
 * pipelining, RFC 9112 §9.3.2) and keep their answers until the client has taken the first one.
 * In: a listener. Out: the same for connections of any client. A connection on which too many requests wait is closed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const maxWaiting = 16

interface Requests {
  last: ServerResponse
  waiting: number
}

export function answerOneAtATime(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Requests>()

  function start(request: IncomingMessage, response: ServerResponse): void {
    if (!request.socket.destroyed) listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    const requests = connections.get(socket)
    const before = requests?.last
    if (!requests || before === undefined || before.destroyed) {
      connections.set(socket, { last: response, waiting: requests?.waiting ?? 0 })
      return start(request, response)
    }
    if (requests.waiting >= maxWaiting) return void socket.destroy()
    requests.waiting++
    requests.last = response
    before.once('close', () => {
      requests.waiting--
      start(request, response)
    })
  }
}
