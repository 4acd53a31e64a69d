import type { AirAlert, AirFrame, AirTrack } from '@posrep/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type FollowAirOptions, followAir } from '../../src/air.ts'
import { ApiError, createClient } from '../../src/index.ts'
import { aClock } from '../builders.ts'

const example = (id: string): AirTrack => ({
  id,
  state: 'live',
  identifiers: [],
  time: '2026-01-07T12:00:30.250Z',
  receivedAt: '2026-01-07T12:00:30.912Z',
  position: { lat: 60.3, lon: 24.9 },
  altitudes: [],
  sensors: [],
  positions: 1,
})

function aFrame(differences: Partial<AirFrame> = {}): AirFrame {
  const nothing = { tracks: [], ended: [], alerts: [], sensors: [] }
  return { notice: 'Not for navigation', time: '2026-01-07T12:00:31.000Z', full: false, ...nothing, ...differences }
}

const toEvent = (id: number, frame: AirFrame) => `id: ${id}\nevent: frame\ndata: ${JSON.stringify(frame)}\n\n`
const whole = (...ids: string[]) => aFrame({ full: true, tracks: ids.map(example) })
const changed = (...ids: string[]) => aFrame({ tracks: ids.map(example) })

type Connection = ReadableStreamDefaultController<Uint8Array>

/** Follows a service whose answers the test gives. `views` are the IDs of the tracks of each picture. */
function aFollower(options: Partial<FollowAirOptions> = {}) {
  const requests: Request[] = []
  /** Of the requests. */
  const times: number[] = []
  const connections: Connection[] = []
  const answers: (Response | undefined)[] = []
  const clock = aClock()
  let generation = 1
  const client = createClient({
    origin: 'https://localhost:8443',
    getToken: (stale) => (stale === undefined ? `token-${generation}` : `token-${++generation}`),
    clock,
    async fetch(request) {
      requests.push(request)
      times.push(clock.now())
      const given = answers.shift()
      if (given) return given
      let connection: Connection | undefined
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (connection = controller) })
      request.signal.addEventListener('abort', () => connection?.error(request.signal.reason))
      if (connection) connections.push(connection)
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const views: string[][] = []
  const alerts: string[][] = []
  const frames: AirFrame[] = []
  const ended = (async () => {
    const pictures = followAir(client, { clock, random: () => 1, signal: stop.signal, ...options })
    for await (const { tracks, alerts: active, frame } of pictures) {
      views.push([...tracks.keys()])
      alerts.push([...active.keys()])
      frames.push(frame)
    }
  })()
  ended.catch(() => {})

  async function sendBytes(...pieces: Uint8Array[]) {
    await vi.waitUntil(() => connections.length > 0)
    for (const piece of pieces) {
      connections.at(-1)?.enqueue(piece)
      await clock.advance(0)
      await clock.advance(0)
    }
  }

  return {
    clock,
    requests,
    times,
    views,
    alerts,
    frames,
    ended,
    stop,
    answers,
    /** Sends text on the latest connection. */
    send: (text: string) => sendBytes(new TextEncoder().encode(text)),
    sendBytes,
    async close() {
      connections.at(-1)?.close()
      await clock.advance(0)
    },
    /** Waits until the service has got this many requests. */
    async connected(count: number) {
      await vi.waitUntil(() => requests.length === count)
      await clock.advance(0)
    },
  }
}

test('the picture comes first, and then with each change', async () => {
  const { send, views, requests } = aFollower({ bbox: '24,60,26,61' })
  await send('retry: 2000\n\n')
  await send(toEvent(1, whole('t1', 't2')))
  await send(toEvent(2, aFrame({ tracks: [example('t3')], ended: ['t1'] })))

  expect(views).toEqual([
    ['t1', 't2'],
    ['t2', 't3'],
  ])
  expect(requests[0]?.url).toBe('https://localhost:8443/v1/air/stream?bbox=24%2C60%2C26%2C61')
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token-1')
  expect(requests[0]?.headers.get('last-event-id')).toBeNull()
})

test('an event may arrive in pieces, cut in the middle of a character', async () => {
  const { sendBytes, frames } = aFollower()
  const track = { ...example('t1'), identifiers: [{ id: 'LINTU Ä1', type: 'CallSign' }] }
  const bytes = new TextEncoder().encode(toEvent(1, aFrame({ full: true, tracks: [track] })))
  const middle = bytes.indexOf(0xc3) + 1
  await sendBytes(bytes.subarray(0, middle), bytes.subarray(middle))

  expect(frames[0]?.tracks).toEqual([track])
})

test('a stream that ends is opened again after the time that the service asks for, from the last event', async () => {
  const { send, close, clock, requests, connected, views } = aFollower()
  await send('retry: 3000\n\n')
  await send(toEvent(4711, whole('t1')))
  await close()
  await clock.advance(2_999)
  expect(requests).toHaveLength(1)

  await clock.advance(1)
  await connected(2)
  expect(requests[1]?.headers.get('last-event-id')).toBe('4711')
  await send(toEvent(4712, changed('t2')))
  expect(views.at(-1)).toEqual(['t1', 't2'])
})

test('a whole picture replaces what was there', async () => {
  const { send, close, clock, connected, views } = aFollower()
  await send(toEvent(1, whole('t1')))
  await close()
  await clock.advance(2_000)
  await connected(2)
  await send(toEvent(9, whole('t2')))

  expect(views).toEqual([['t1'], ['t2']])
})

test('an alert that has ended is not in the picture any more, but in its frame', async () => {
  const alert: AirAlert = {
    id: 'a1',
    kind: 'silentSensor',
    state: 'active',
    raisedAt: '2026-01-07T12:00:29.000Z',
    updatedAt: '2026-01-07T12:00:29.000Z',
    endedAt: null,
    text: 'Roof is silent',
  }
  const { send, frames, alerts } = aFollower()
  await send(toEvent(1, aFrame({ full: true, alerts: [alert] })))
  await send(toEvent(2, aFrame({ alerts: [{ ...alert, state: 'ended', endedAt: '2026-01-07T12:00:31.000Z' }] })))

  expect(alerts).toEqual([['a1'], []])
  expect(frames[1]?.alerts).toMatchObject([{ id: 'a1', state: 'ended' }])
})

test('failures are further and further apart, at most a minute', async () => {
  const { answers, clock, times, connected } = aFollower()
  for (let n = 0; n < 7; n++) answers.push(new Response(null, { status: 503 }))
  for (let second = 0; second < 200; second++) await clock.advance(1_000)
  await connected(8)

  expect(times.slice(1).map((time, n) => (time - (times[n] ?? 0)) / 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60])
})

test('each interruption is told, with its error and the time until the next attempt', async () => {
  const told: [number, string | undefined][] = []
  const onInterrupted: FollowAirOptions['onInterrupted'] = (pauseMs, error) => told.push([pauseMs, error?.code])
  const { answers, clock, send, close, connected } = aFollower({ onInterrupted })
  answers.push(new Response(null, { status: 503, headers: { 'retry-after': '100' } }))
  await connected(1)
  await clock.advance(100_000)
  await connected(2)
  await send(toEvent(1, whole('t1')))
  await close()

  expect(told).toEqual([
    [100_000, 'unavailable'],
    [2_000, undefined],
  ])
})

test('the end by the signal is no interruption', async () => {
  const told: number[] = []
  const { send, stop, ended } = aFollower({ onInterrupted: (pauseMs) => told.push(pauseMs) })
  await send(toEvent(1, whole('t1')))
  stop.abort()
  await ended

  expect(told).toEqual([])
})

test('Retry-After is obeyed', async () => {
  const { answers, clock, requests, connected } = aFollower()
  answers.push(new Response(null, { status: 503, headers: { 'retry-after': '100' } }))
  await connected(1)
  await clock.advance(99_000)
  expect(requests).toHaveLength(1)

  await clock.advance(1_000)
  await connected(2)
})

test('after a 401 the stream is opened with a new token', async () => {
  const { answers, connected, requests, send, views } = aFollower()
  answers.push(new Response(null, { status: 401 }))
  await connected(2)
  await send(toEvent(1, whole('t1')))

  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2'])
  expect(views).toEqual([['t1']])
})

test('a stream that is silent for 45 seconds is opened again; a comment is a sign of life', async () => {
  const { send, clock, requests, connected } = aFollower()
  await send(toEvent(1, whole('t1')))
  await clock.advance(44_000)
  await send(': keep-alive\n\n')
  await clock.advance(44_000)
  expect(requests).toHaveLength(1)

  await clock.advance(1_000)
  await clock.advance(2_000)
  await connected(2)
})

test.each([
  [404, 'not_found'],
  [403, 'forbidden'],
  [400, 'invalid_request'],
])('the answer %d ends the iteration with the code %s', async (status, code) => {
  const { answers, ended } = aFollower()
  answers.push(new Response(null, { status }))

  await expect(ended).rejects.toSatisfy((error) => error instanceof ApiError && error.code === code)
})

test('the signal ends the iteration without an error, and the connection', async () => {
  const { send, stop, ended, requests } = aFollower()
  await send(toEvent(1, whole('t1')))
  stop.abort()

  await ended
  expect(requests[0]?.signal.aborted).toBe(true)
})
