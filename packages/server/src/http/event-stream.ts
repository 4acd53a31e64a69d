/**
 * Server-sent events (WHATWG HTML, section 9.2), compressed where the client takes it.
 * In: the response of node:http or Express. Out: a function that writes events as fast as the client takes them.
 */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { constants, createGzip } from 'node:zlib'
import { writePieces } from './pieces.ts'

export interface EventOutput {
  /** Writes the text of events, and waits while the client takes nothing. Nothing is written after the end. */
  write(text: string): Promise<void>
  /** Ends the answer. A write that waits resolves. */
  end(): void
  /** Aborted when the answer has ended or the client has disconnected. */
  ended: AbortSignal
}

/** An answer that goes on. One of `run` and `cancel` is called, once. */
export interface EventStream {
  /** Writes events until the output ends or nothing more is to be sent. */
  run(output: EventOutput): Promise<void>
  /** Gives back what the stream has taken, when nothing is to be written. */
  cancel(): void
}

/** A stream takes 64 kB of memory for compression. */
const compression = { level: 6, windowBits: 13, memLevel: 6, flush: constants.Z_SYNC_FLUSH }

/** @param headers Further headers of the answer: names and values alternate. */
export function openEventStream(response: ServerResponse, headers: readonly string[] = []): EventOutput {
  const gzip = takesGzip(response.req.headers['accept-encoding']) ? createGzip(compression) : undefined
  const own = ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no']
  const encoding = gzip ? ['Content-Encoding', 'gzip'] : []
  response.writeHead(200, [...headers, ...own, 'X-Content-Type-Options', 'nosniff', ...encoding])
  // A proxy and the client see at once that the stream is open.
  response.flushHeaders()
  gzip?.pipe(response)
  const output = gzip ?? response
  const ended = new AbortController()
  const close = () => {
    ended.abort()
    gzip?.destroy()
  }
  response.once('close', close)
  // The client left before the stream was opened: there is no such event any more.
  if (response.destroyed) close()

  return {
    async write(text) {
      if (ended.signal.aborted) return
      if (!gzip) return writePieces(response, Buffer.from(text))
      if (!gzip.write(text)) await once(gzip, 'drain', { signal: ended.signal }).catch(() => undefined)
    },
    end() {
      if (ended.signal.aborted) return
      ended.abort()
      output.end()
    },
    ended: ended.signal,
  }
}

/** Writes the whole stream. The answer to HEAD has its headers only. */
export async function writeEventStream(
  response: ServerResponse,
  stream: EventStream,
  headers: readonly string[] = [],
): Promise<void> {
  const output = openEventStream(response, headers)
  try {
    if (response.req.method === 'HEAD') stream.cancel()
    else await stream.run(output)
  } finally {
    output.end()
  }
}

/** RFC 9110, section 12.5.3: a weight of 0 means "not acceptable". */
function takesGzip(acceptEncoding: string | string[] = ''): boolean {
  const codings = String(acceptEncoding).toLowerCase().split(',')
  return codings.some((coding) => {
    const [name, weight = 'q=1'] = coding.split(';').map((part) => part.trim())
    return name === 'gzip' && Number(weight.slice('q='.length)) > 0
  })
}
