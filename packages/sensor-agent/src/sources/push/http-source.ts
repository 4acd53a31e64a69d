/**
 * Takes positions by HTTP from firmware on this machine: `POST /positions`.
 * In: one JSON position, an array, a report with `positions`, or NDJSON. Out: 202 after the spool has stored them; 400
 * with the reason; 413 above 1 MiB; 415 for another media type and 421 for another host name, so that no web page can
 * report; 503 when the spool fails. With a token every request needs `Authorization: Bearer`; an address other than
 * loopback needs a token.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGatheredBytes } from '@posrep/kernel/gathered-bytes'
import { checkText, checkWholeNumber, isLoopback } from '../../check-option.ts'
import { toReason } from '../../errors.ts'
import { isMisdirected } from '../../http/is-misdirected.ts'
import type { Clock } from '../../ports.ts'
import { untilAborted } from '../../until-aborted.ts'
import { defineSource, type Sink, type Source } from '../source.ts'
import { splitPositions } from './split-positions.ts'

export interface HttpSourceOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string
  /** 0-65535; 0 takes a free port, which the state tells. */
  port: number
  /** Bearer token that every request must have. Required unless `host` is this machine. */
  token?: string
}

const maxBytes = 1_048_576
const lastAnswersMs = 1_000

interface Answer {
  status: number
  detail?: string
}

export function httpSource({ host = '127.0.0.1', port, token }: HttpSourceOptions): Source {
  checkText('host', host)
  checkWholeNumber('port', port, 0, 65_535)
  if (token !== undefined) checkText('token', token)
  if (token === undefined && !isLoopback(host)) {
    throw new TypeError(`"token" is required to listen on "${host}": anyone in the network could report positions`)
  }

  return defineSource(`HTTP ${host}:${port}`, async (sink) => {
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      // A client that goes away needs no answer.
      request.on('error', () => undefined)
      void answer(request, { host, token }, sink).then((found) => send(response, found))
    })
    server.maxConnections = 100
    server.listen(port, host)
    await once(server, 'listening')
    // A listening server has an address with a port.
    sink.state(`listening on http://${host}:${(server.address() as AddressInfo).port}/positions`)
    await untilAborted(sink.signal)
    await close(server, sink.clock)
  })
}

/**
 * A request that has arrived is answered; a connection that sends nothing, or too slowly, does not hold up the stop.
 */
async function close(server: Server, clock: Clock): Promise<void> {
  const closed = new AbortController()
  server.close(() => closed.abort()).closeIdleConnections()
  await clock.sleep(lastAnswersMs, closed.signal)
  server.closeAllConnections()
  await untilAborted(closed.signal)
}

async function answer(
  request: IncomingMessage,
  { host, token }: { host: string; token: string | undefined },
  sink: Sink,
): Promise<Answer> {
  if (isMisdirected(host, request.headers.host)) return { status: 421, detail: 'ask for localhost' }
  if (request.url?.split('?')[0] !== '/positions') return { status: 404, detail: 'post positions to /positions' }
  if (request.method !== 'POST') return { status: 405, detail: 'post positions to /positions' }
  if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`)) {
    return { status: 401, detail: 'the bearer token is missing or wrong' }
  }
  if (!/^application\/(?:json|x-ndjson)\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    return { status: 415, detail: 'send application/json or application/x-ndjson' }
  }
  try {
    const text = await readText(request)
    if (text === undefined) return { status: 413, detail: 'the body is larger than 1 MiB' }
    const positions = splitPositions(text)
    if (positions instanceof Error) {
      sink.unusable(`HTTP: ${positions.message}`)
      return { status: 400, detail: positions.message }
    }
    const wrong = await sink.reportJson(positions, 'HTTP')
    return wrong ? { status: 400, detail: wrong.message } : { status: 202 }
  } catch (error) {
    return { status: 503, detail: toReason(error) }
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const gathered = createGatheredBytes()
  for await (const chunk of request) {
    gathered.add(chunk)
    if (gathered.length() > maxBytes) return undefined
  }
  return Buffer.from(gathered.take()).toString('utf8')
}

function send(response: ServerResponse, { status, detail }: Answer): void {
  if (response.destroyed) return
  if (status === 413) response.shouldKeepAlive = false
  if (status === 405) response.setHeader('allow', 'POST')
  if (status === 401) response.setHeader('www-authenticate', 'Bearer')
  if (detail === undefined) response.writeHead(status).end()
  else
    response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ status, detail }))
}

/** Takes the same time for every wrong value. */
function isSame(seen: string | undefined, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(seen ?? ''), hash(expected))
}
