/**
 * Sends one POST to a relay over a connection that is not in use.
 * In: the connection, headers and body. Out: the status, the first bytes and `Retry-After` of the response; rejects
 * when the connection fails.
 */
import type { Readable } from 'node:stream'
import type { Client } from 'undici'
import { RelayFailure } from './relay-failure.ts'

export interface Post {
  headers: Record<string, string>
  body: string | Buffer
  /**
   * Whether the body of the answer is needed. Otherwise the status decides, even if the body never ends. Default false.
   */
  needsBody?: boolean
}

export interface RelayAnswer {
  status: number
  /**
   * The start of the body: with `needsBody` at most `maxEchoBytes` + 1 bytes, which shows whether the body is too long.
   */
  body: Buffer
  retryAfter: string | undefined
}

export const maxEchoBytes = 1_024
/** What is read of a body that is not needed: a connection can be reused only after a complete response. */
const unneeded = { maxBytes: 500, maxMs: 1_000 }

export async function exchange(client: Client, path: string, { needsBody, ...post }: Post): Promise<RelayAnswer> {
  const flood = new AbortController()
  const countInformational = createInformationalCount((failure) => flood.abort(failure))
  const { statusCode, headers, body } = await client.request({
    ...post,
    path,
    method: 'POST',
    onInfo: countInformational,
    signal: flood.signal,
  })
  return toAnswer(statusCode, headers['retry-after'], body, needsBody)
}

/** RFC 9110 §15.2: a client skips informational answers, also unasked ones. Servers send one or two. */
export function createInformationalCount(onFlood: (failure: RelayFailure) => void): () => void {
  let count = 0
  return () => {
    if (++count === maxInformational + 1) onFlood(new RelayFailure('too_many_informational'))
  }
}

const maxInformational = 20

export async function toAnswer(
  status: number,
  retryAfter: string | string[] | undefined,
  body: Readable,
  needsBody = false,
): Promise<RelayAnswer> {
  return {
    status,
    body: needsBody ? await readStart(body) : await readBriefly(body),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  }
}

async function readStart(body: Readable): Promise<Buffer> {
  try {
    return await readAtMost(body, maxEchoBytes)
  } catch (cause) {
    throw new RelayFailure('answer_incomplete', { cause })
  }
}

async function readBriefly(body: Readable): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(), unneeded.maxMs)
  try {
    return await readAtMost(body, unneeded.maxBytes)
  } catch {
    // The status has decided.
    return Buffer.alloc(0)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns at most one byte more, which shows that there is more. */
async function readAtMost(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop destroys the stream, which closes the connection.
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes + 1)
}
