/**
 * Sends one POST to a relay over a connection that is not in use.
 * In: the connection, headers and body. Out: the status, the first bytes and `Retry-After` of the response; rejects when the
 * connection fails.
 */
import type { Client } from 'undici'

export interface Post {
  headers: Record<string, string>
  body: string | Buffer
}

export interface RelayAnswer {
  status: number
  /** The start of the body: at most `maxEchoBytes` + 1 bytes, which shows whether the body is too long. */
  body: Buffer
  retryAfter: string | undefined
}

export const maxEchoBytes = 1_024
/** A longer body is truncated, and its connection is closed. */
const maxAnswerBytes = 64 * 1024

export async function exchange(client: Client, path: string, post: Post): Promise<RelayAnswer> {
  const { statusCode, headers, body } = await client.request({ ...post, path, method: 'POST' })
  const retryAfter = headers['retry-after']
  return {
    status: statusCode,
    body: await readStart(body),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  }
}

/** Also reads the remaining body, because a connection can be reused only after a complete response. */
async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0)
  let length = 0
  for await (const chunk of body) {
    if (start.length <= maxEchoBytes) start = Buffer.concat([start, chunk])
    length += chunk.length
    // Leaving the loop destroys the stream, and undici closes the connection.
    if (length > maxAnswerBytes) break
  }
  return start.subarray(0, maxEchoBytes + 1)
}
