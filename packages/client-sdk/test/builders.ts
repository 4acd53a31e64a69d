/** Test builders: a fixed time, tokens, a fake fetch, a service over real HTTP. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Device, Problem } from '@posrep/spec'
import { onTestFinished } from 'vitest'
import type { Clock, Fetch, Tokens } from '../src/index.ts'

export const nowMs = Date.UTC(2026, 0, 7, 12)
/** A clock that stands still. */
export const clock: Clock = { now: () => nowMs, startTimer: () => () => {} }

export interface ManualClock extends Clock {
  /** Moves the time and runs the timers whose time has come, in their order. */
  advance(ms: number): Promise<void>
  /** The number of timers that wait. */
  waiting(): number
}

export function aClock(startMs = nowMs): ManualClock {
  let atMs = startMs
  const timers = new Set<{ atMs: number; task(): void }>()
  return {
    now: () => atMs,
    startTimer(ms, task) {
      const timer = { atMs: atMs + ms, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    waiting: () => timers.size,
    async advance(ms) {
      const endMs = atMs + ms
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        const [next] = [...timers].filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)
        if (!next) break
        timers.delete(next)
        atMs = Math.max(atMs, next.atMs)
        next.task()
      }
      atMs = endMs
    },
  }
}

export function aTokens(generation = 1, tokens: Partial<Tokens> = {}): Tokens {
  return { accessToken: `access-${generation}`, refreshToken: `refresh-${generation}`, ...tokens }
}

export const urn = 'urn:aa:device:acme:roof1'

export function aDevice(device: Partial<Device> = {}): Device {
  return {
    deviceId: urn,
    deviceCreationTimestamp: '2026-01-02T08:00:00.000Z',
    deviceName: 'Roof',
    positionReportMetrics: [],
    relayDetails: null,
    shouldStorePositionReportMetrics: true,
    ...device,
  }
}

export function aProblem(problem: Partial<Problem> = {}): Problem {
  return {
    type: 'urn:problem:device_not_found',
    title: 'No such device',
    status: 404,
    code: 'device_not_found',
    detail: `No device "${urn}"`,
    ...problem,
  }
}

export interface FakeFetch {
  fetch: Fetch
  requests: Request[]
  /** The forms that were sent, in order. */
  forms: Record<string, string>[]
}

/** Each request gets the next answer; the last one is repeated. */
export function aFetch(...answers: (() => Response)[]): FakeFetch {
  const requests: Request[] = []
  const forms: Record<string, string>[] = []
  const fetch: Fetch = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    requests.push(request)
    forms.push(Object.fromEntries(new URLSearchParams(await request.clone().text())))
    if (!answer) throw new TypeError('fetch failed')
    return answer()
  }
  return { fetch, requests, forms }
}

export function aTokenResponse(generation = 1): Response {
  return Response.json({
    access_token: `access-${generation}`,
    token_type: 'bearer',
    expires_in: 900,
    refresh_token: `refresh-${generation}`,
    scope: 'surveillance_api',
  })
}

export interface SeenRequest {
  method: string
  path: string
  authorization: string | undefined
  contentType: string | undefined
  body: Buffer
}

export interface StubAnswer {
  status?: number
  headers?: Record<string, string>
  /** Bytes, or a value that is sent as JSON. */
  body?: unknown
}

/** A service that records its requests, until the end of the test. */
export async function aService(answer: (request: SeenRequest) => StubAnswer | Promise<StubAnswer>) {
  const seen: SeenRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const request = await read(incoming)
    seen.push(request)
    const { status = 200, headers = {}, body } = await answer(request)
    const isBytes = body instanceof Uint8Array
    outgoing.writeHead(status, {
      ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
      ...headers,
    })
    outgoing.end(isBytes || body === undefined ? body : JSON.stringify(body))
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, seen }
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = '', url: path = '', headers } = incoming
  return {
    method,
    path,
    authorization: headers.authorization,
    contentType: headers['content-type'],
    body: Buffer.concat(chunks),
  }
}

/** A promise that the test settles. */
export function deferred<T>() {
  let resolve = (_value: T) => {}
  let reject = (_cause: Error) => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}
