/**
 * Writes the body of an answer as fast as the client takes it. One piece is queued at a time, so that a client that
 * takes nothing costs the memory of a piece, and the connection shows with each piece that the client goes on
 * (`composition/listening/stalled-connections.ts`). Other requests run between a few pieces: the machine takes
 * megabytes of an answer before its client has read any.
 * In: a response whose head is set, and bytes. Out: resolves when all is written, or when the client has left.
 */
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** A client that takes less than this in 30 s is disconnected. */
export const pieceBytes = 16 * 1024
const burstBytes = 4 * pieceBytes

export async function writePieces(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += pieceBytes) {
    if (at > 0 && at % burstBytes === 0) await setImmediate()
    await writePiece(response, bytes.subarray(at, at + pieceBytes))
  }
}

function writePiece(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    // A write is not called back when the connection closes before it is complete.
    response.once('close', resolve)
    response.write(piece, () => {
      response.off('close', resolve)
      resolve()
    })
  })
}
