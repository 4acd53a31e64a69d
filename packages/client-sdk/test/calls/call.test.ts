/** Time-outs, signals and repetitions of calls. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DeviceList } from '@posrep/spec'
import { describe, expect, test, vi } from 'vitest'
import { ApiError, createClient, type Fetch } from '../../src/index.ts'
import { aClock, aDevice, aFetch, urn } from '../builders.ts'

const list: DeviceList = { data: [aDevice()] }
const ok = () => Response.json(list)
const busy = (status: number, retryAfter?: string) => () =>
  new Response(null, { status, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }) })

describe.each([429, 503])('a call that reads and is answered %i', (status) => {
  test('is sent again after the time of Retry-After', async () => {
    const { client, requests, clock } = aClient(busy(status, '3'), ok)
    const call = client.listDevices()

    await clock.advance(2_999)
    expect(requests).toHaveLength(1)
    await clock.advance(1)

    expect(await call).toEqual(list)
    expect(requests).toHaveLength(2)
    expect(clock.waiting()).toBe(0)
  })

  test('is sent at most three times', async () => {
    const { client, requests, clock } = aClient(busy(status, '1'))
    const call = client.listDevices().catch((error: unknown) => error)

    await clock.advance(10_000)

    expect(await call).toMatchObject({ status, retryAfterMs: 1_000 })
    expect(requests).toHaveLength(3)
  })

  test('is not sent again when Retry-After ends after "timeoutMs", or is missing', async () => {
    const late = aClient(busy(status, '30'))
    await expect(late.client.listDevices({ timeoutMs: 30_000 })).rejects.toMatchObject({ retryAfterMs: 30_000 })
    const missing = aClient(busy(status))
    await expect(missing.client.listDevices()).rejects.toMatchObject({ retryAfterMs: undefined })

    expect([late.requests.length, missing.requests.length]).toEqual([1, 1])
  })
})

test('an empty parameter of the path is refused, and nothing is sent: it would be the path of another operation', async () => {
  const { client, requests } = aClient(ok)

  await expect(client.getDevice('')).rejects.toThrow('"deviceUrn" of getDevice must not be empty, got ""')
  await expect(client.removeDevice(undefined as never)).rejects.toThrow('"deviceUrn" of removeDevice')

  expect(requests).toHaveLength(0)
})

test('Retry-After may be a date', async () => {
  const { client, clock } = aClient(busy(503, 'Wed, 07 Jan 2026 12:00:05 GMT'), ok)
  const call = client.listDevices()

  await clock.advance(5_000)

  expect(await call).toEqual(list)
})

const writes: [string, (client: ReturnType<typeof createClient>) => Promise<unknown>][] = [
  ['toggleStoringPositionReports', (client) => client.toggleStoringPositionReports(urn)],
  ['updateRelay', (client) => client.updateRelay(urn, { url: 'https://relay.example.net', state: 'Active' })],
  ['createPairingRequest', (client) => client.createPairingRequest(urn)],
  ['changeDevice', (client) => client.changeDevice(urn, { deviceName: 'Mast' })],
  ['submitPositionReport', (client) => client.submitPositionReport({ positions: [] }, { deviceToken: 'device-1' })],
]

test.each(writes)('%s is not sent again after 503', async (_name, call) => {
  const { client, requests } = aClient(busy(503, '0'))

  await expect(call(client)).rejects.toMatchObject({ code: 'unavailable' })
  expect(requests).toHaveLength(1)
})

test.each(writes)('%s is not sent again after a network error', async (_name, call) => {
  const fetch = vi.fn<Fetch>(() => Promise.reject(new TypeError('fetch failed')))
  const client = createClient({ origin: 'https://api.example.net', getToken: () => 'access-1', fetch })

  await expect(call(client)).rejects.toMatchObject({ code: 'unreachable' })
  expect(fetch).toHaveBeenCalledTimes(1)
})

describe('a call that takes longer than its time', () => {
  test('rejects with "timeout", whatever it waits for', async () => {
    for (const aPart of [aHangingFetch(), { getToken: () => new Promise<string>(() => {}) }]) {
      const { client, clock } = aClientWith(aPart)
      const call = client.listDevices({ timeoutMs: 500 }).catch((error: unknown) => error)

      await clock.advance(500)

      expect(await call).toBeInstanceOf(ApiError)
      expect(await call).toMatchObject({ code: 'timeout', message: expect.stringContaining('500 ms') })
      expect(clock.waiting()).toBe(0)
    }
  })

  test("rejects after the client's time if it has none, which is 30 s by default", async () => {
    for (const [timeoutMs, expectedMs] of [
      [undefined, 30_000],
      [2_000, 2_000],
    ] as const) {
      const { client, clock } = aClientWith({ ...aHangingFetch(), timeoutMs })
      const settled = vi.fn()
      client.listDevices().catch(settled)

      await clock.advance(expectedMs - 1)
      expect(settled).not.toHaveBeenCalled()
      await clock.advance(1)
      await vi.waitFor(() => expect(settled).toHaveBeenCalled())
    }
  })
})

test('a time that no timer can run is refused', async () => {
  const { client } = aClient(ok)
  for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
    await expect(client.listDevices({ timeoutMs })).rejects.toThrow(
      `"timeoutMs" must be 1 to 2147483647, got ${timeoutMs}`,
    )
    expect(() => aClientWith({ timeoutMs })).toThrow('"timeoutMs" must be')
  }
})

describe('a call whose signal aborts rejects with the reason', () => {
  const reason = new Error('changed my mind')

  test('before it is sent', async () => {
    const { client, requests } = aClient(ok)

    await expect(client.listDevices({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(requests).toHaveLength(0)
  })

  test.each([
    ['while it waits for a token', { getToken: () => new Promise<string>(() => {}) }],
    ['while it waits for the answer', aHangingFetch()],
    ['while it waits for Retry-After', { fetch: aFetch(busy(503, '10')).fetch }],
  ])('%s', async (_when, aPart) => {
    const { client, clock } = aClientWith(aPart)
    const abort = new AbortController()
    const call = client.listDevices({ signal: abort.signal }).catch((error: unknown) => error)
    await clock.advance(1_000)

    abort.abort(reason)

    expect(await call).toBe(reason)
    expect(clock.waiting()).toBe(0)
  })
})

test('a request that is still in the air when its call ends is aborted on the wire', async () => {
  let isClosed = false
  const server = createServer((request) => {
    request.once('close', () => {
      isClosed = true
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const clock = aClock()
  const client = createClient({ origin: `http://127.0.0.1:${port}`, getToken: () => 'access-1', clock })
  const call = client.listDevices({ timeoutMs: 1_000 }).catch((error: unknown) => error)
  await once(server, 'request')

  await clock.advance(1_000)

  expect(await call).toMatchObject({ code: 'timeout' })
  await vi.waitFor(() => expect(isClosed).toBe(true))
  server.close()
})

test('an error has the request id of the service', async () => {
  const { client } = aClient(() => Response.json({}, { status: 404, headers: { 'x-request-id': 'req-7' } }))

  await expect(client.getDevice(urn)).rejects.toMatchObject({ code: 'not_found', status: 404, requestId: 'req-7' })
})

function aClient(...answers: (() => Response)[]) {
  const { fetch, requests } = aFetch(...answers)
  return { ...aClientWith({ fetch }), requests }
}

function aClientWith(options: { fetch?: Fetch; getToken?: () => Promise<string>; timeoutMs?: number | undefined }) {
  const clock = aClock()
  const origin = 'https://api.example.net'
  return { client: createClient({ origin, getToken: () => 'access-1', clock, ...options }), clock }
}

/** As the real fetch, it ends when the signal aborts. */
function aHangingFetch(): { fetch: Fetch } {
  return {
    fetch: (_request, init) =>
      new Promise((_resolve, reject) => init?.signal.addEventListener('abort', () => reject(init.signal.reason))),
  }
}
