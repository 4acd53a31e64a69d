/**
 * A connection on which posts come in: as little HTTP/1.1 as a sink needs, because a real server would cost about as much
 * as the senders that are measured, on the same cores.
 * In: bytes, of requests with a `content-length`. Out: the path and the body of each one that is whole.
 */
import type { Socket } from 'node:net'

export interface Post {
  path: string
  /** A view of what came in, to be read at once: kept, it would keep all of that. */
  body: Buffer
  answer(): void
}

const blank = Buffer.from('\r\n\r\n')
/** With the headers of node:http, which the sender has to read. */
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

export function takePosts(socket: Socket, take: (post: Post) => void): void {
  let begun: Buffer | undefined
  socket.on('data', (bytes: Buffer) => {
    let rest = begun ? Buffer.concat([begun, bytes]) : bytes
    for (let length = readPost(rest); length > 0; length = readPost(rest)) rest = rest.subarray(length)
    begun = rest.length > 0 ? rest : undefined
  })
  // A sender that was ended may be cut off.
  socket.on('error', () => socket.destroy())

  /** Returns its length; 0 when it is not whole yet. */
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
