/**
 * Reads POST requests from a connection. It implements only the HTTP/1.1 that a sink needs, because a full server would
 * use about as much processor time as the measured senders, on the same cores.
 * In: bytes of requests with `content-length`. Out: the path and the body of each complete request.
 */
import type { Socket } from 'node:net'

export interface Post {
  path: string
  /** A view of the received data. Read it at once: keeping it would keep the whole buffer in memory. */
  body: Buffer
  answer(): void
}

const blank = Buffer.from('\r\n\r\n')
/** Has the same headers as an answer of node:http, because the sender must parse them. */
const answer = Buffer.from(
  [
    'HTTP/1.1 200 OK',
    `Date: ${new Date().toUTCString()}`,
    'Connection: keep-alive',
    'Keep-Alive: timeout=60',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n'),
)

export function readPosts(socket: Socket, take: (post: Post) => void): void {
  let begun: Buffer | undefined
  socket.on('data', (bytes: Buffer) => {
    let rest = begun ? Buffer.concat([begun, bytes]) : bytes
    for (let length = readPost(rest); length > 0; length = readPost(rest)) rest = rest.subarray(length)
    begun = rest.length > 0 ? rest : undefined
  })
  // The process of a sender may have ended.
  socket.on('error', () => socket.destroy())

  /** Returns the length of the request; 0 if it is not complete. */
  function readPost(bytes: Buffer): number {
    const headEnd = bytes.indexOf(blank)
    if (headEnd < 0) return 0
    const head = bytes.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error(`A post has no content-length:\n${head}`)
    const bodyStart = headEnd + blank.length
    const end = bodyStart + Number(length)
    if (bytes.length < end) return 0
    const path = head.slice('POST '.length, head.indexOf(' ', 'POST '.length))
    take({ path, body: bytes.subarray(bodyStart, end), answer: () => void socket.write(answer) })
    return end
  }
}
