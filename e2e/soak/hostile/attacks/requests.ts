/**
 * The requests of the attacks, and the count of their answers per kind and status. They are sent as fast as they are
 * answered.
 */
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

export const counts: Record<string, number> = {}
/** Resolves when the server has accepted the first of them. */
export const accepted = Promise.withResolvers<void>()

export type Request = (path: string, options?: RequestOptions) => Promise<number>

export interface RequestOptions {
  method?: 'GET' | 'POST'
  /** Takes the answer slowly: 64 kB twice a second. */
  slowly?: boolean
}

const deadlineMs = 60_000
const slowBytes = 64 * 1024
const slowEveryMs = 500

/** Requests that read the answer to its end, and keep nothing of it. */
export function requestsTo(
  origin: string,
  ca: string,
  connections: number,
  headers: Record<string, string> = {},
): Request {
  const agent = new https.Agent({ keepAlive: true, maxSockets: connections, ca })
  return (path, { method = 'GET', slowly = false } = {}) =>
    new Promise<number>((resolve, reject) => {
      const signal = AbortSignal.timeout(deadlineMs)
      https
        .request(new URL(path, origin), { agent, method, headers, signal }, (response) => {
          response.once('error', reject).once('end', () => resolve(response.statusCode ?? 0))
          if (!slowly) return void response.resume()
          response.on('readable', () => {
            // Asks to be called again.
          })
          const reading = setInterval(() => {
            response.read(Math.min(slowBytes, response.readableLength))
          }, slowEveryMs)
          response.once('close', () => clearInterval(reading))
        })
        .once('error', reject)
        .end()
    })
}

/** `parallel` loops. */
export function repeat(parallel: number, stopping: AbortSignal, kind: string, request: (n: number) => Promise<number>) {
  return Array.from({ length: parallel }, async (_, first) => {
    for (let n = first; !stopping.aborted; n += parallel) await counted(kind, () => request(n))
  })
}

export async function counted(kind: string, request: () => Promise<number>): Promise<void> {
  const answer = await request().catch(() => 'unanswered')
  counts[`${kind} ${answer}`] = (counts[`${kind} ${answer}`] ?? 0) + 1
  if (answer !== 'unanswered' && answer >= 200 && answer < 300) accepted.resolve()
  // Otherwise a server that has ended would be asked without a pause.
  if (answer === 'unanswered') await sleep(100)
}
