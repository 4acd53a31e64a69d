/**
 * Hands the body of a request over in few pieces, however it was sent. node:http makes a `Buffer` of each piece that
 * arrives, also of a request that nobody reads yet: a body of 64 kB in chunks of one byte takes 25 MB. Here small
 * pieces are copied together until they are read. A connection is closed when its body comes in very many pieces, each
 * of which costs time.
 * In: a server of node:http.
 */
import { IncomingMessage, type Server } from 'node:http'
import { createGatheredBytes } from '@posrep/kernel/gathered-bytes'

/** The sender is paused while so much waits. */
const maxWaitingBytes = 16 * 1_024
/**
 * Some devices send byte by byte, each in a packet of its own. A body may have this many pieces, and one more for each
 * 64 bytes.
 */
const freePieces = 4_096
const bytesOfPiece = 64

export function gatherPieces(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { headers } = request
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) gatherPiecesOf(request)
  })
}

/** As properties of the request, because Express replaces its prototype. */
function gatherPiecesOf(request: IncomingMessage): void {
  const { push, _read: read } = IncomingMessage.prototype
  const waiting = createGatheredBytes()
  let isScheduled = false
  let pieces = 0
  let bytes = 0

  function handOver(): void {
    if (waiting.length() === 0) return
    const { buffer, byteOffset, byteLength } = waiting.take()
    push.call(request, Buffer.from(buffer, byteOffset, byteLength))
  }

  /** All that one packet has brought is handed over together. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      handOver()
    })
  }

  /** node:http calls this with each piece, and with null at the end. */
  request.push = (piece: Buffer | null) => {
    if (piece === null) {
      handOver()
      return push.call(request, null)
    }
    pieces++
    bytes += piece.length
    if (pieces > freePieces + bytes / bytesOfPiece) {
      request.socket.destroy()
      return false
    }
    waiting.add(piece)
    if (request.readableFlowing) schedule()
    return waiting.length() < maxWaitingBytes
  }

  /** Node calls this when somebody reads. */
  request._read = (size) => {
    handOver()
    read.call(request, size)
  }
}
