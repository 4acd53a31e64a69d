/**
 * A keep-alive connection with one request at a time. It implements only the HTTP/1.1 that a load generator needs,
 * because a full client would use about as much processor time as the measured server.
 * In: bytes of complete requests. Out: the status of each answer.
 */
import { connect } from 'node:net'

export interface Connection {
  /** The bytes must not change until the answer has arrived. */
  send(request: Buffer): void
  close(): void
}

export interface ConnectionOptions {
  port: number
  answered(status: number, text: string): void
  failed(error: Error): void
}

const blank = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

export function openConnection({ port, answered, failed }: ConnectionOptions): Promise<Connection> {
  let begun: Buffer | undefined

  function receive(bytes: Buffer): void {
    const answer = begun ? Buffer.concat([begun, bytes]) : bytes
    if (!isWhole(answer)) {
      // The next data overwrites the socket's buffer.
      begun = Buffer.from(answer)
      return
    }
    begun = undefined
    // HTTP/1.1 202
    const status = Number(answer.toString('latin1', 9, 12))
    answered(status, status < 300 ? '' : answer.toString('latin1'))
  }

  return new Promise((opened) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.allocUnsafe(16 * 1024),
        callback(length, buffer) {
          receive(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      },
    })
    let isClosing = false
    socket.setNoDelay(true)
    socket.once('connect', () =>
      opened({
        send: (request) => void socket.write(request),
        close() {
          isClosing = true
          socket.destroy()
        },
      }),
    )
    socket.once('error', failed)
    socket.once('close', () => isClosing || failed(new Error(`Port ${port} closed a connection that was in use`)))
  })
}

function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf(blank)
  if (headEnd < 0) return false
  const head = answer.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return answer.length >= headEnd + blank.length + Number(length)
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return answer.indexOf(lastChunk, headEnd) >= 0
  return true
}
