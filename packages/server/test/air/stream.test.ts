import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { createGunzip } from 'node:zlib'
import type { AirFrame } from '@posrep/spec'
import { vAirFrame } from '@posrep/spec/validators'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerOptions } from '../../src/composition/server.ts'
import { aServer, rival, type ServerUnderTest } from '../a-server.ts'
import { aPicture, aTrack, aTrackAt, type PictureUnderTest, picturesOf } from './a-picture.ts'

/** Streams of a server whose account `acme` has the picture. */
async function streamsOf(server: ServerUnderTest, picture: PictureUnderTest) {
  pictures.acme = picture
  const token = await server.userToken()

  async function connect(headers: Record<string, string> = {}, query = '', method = 'GET') {
    const request = https
      .request(`${server.origin}/v1/air/stream${query}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        agent: false,
        rejectUnauthorized: false,
      })
      .end()
    onTestFinished(() => void request.destroy())
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { response, request, ...readEvents(response) }
  }
  return { server, picture, token, connect }
}

const pictures: Record<string, PictureUnderTest> = {}
const air: ServerOptions['air'] = {
  ...picturesOf({}),
  pictures: { open: async (accountId) => pictures[accountId] ?? aPicture() },
}
const onePlane = () => aPicture({ tracks: [aTrack({ id: 't1' })] })

let shared: ServerUnderTest
beforeAll(async () => {
  shared = await aServer({ air })
})
afterAll(() => shared.stop())

const someStreams = (picture = onePlane()) => streamsOf(shared, picture)

/** For tests that move the time, end tokens, or count streams. */
async function streamsOfOwnServer() {
  const server = await aServer({ air })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.stop())
  onTestFinished(stop)
  return { ...(await streamsOf(server, onePlane())), stop }
}

/** Blocks of the stream, one by one; undefined at its end. */
function readEvents(response: IncomingMessage) {
  const isGzip = response.headers['content-encoding'] === 'gzip'
  const chunks = (isGzip ? response.pipe(createGunzip()) : response)[Symbol.asyncIterator]()
  let text = ''
  async function next(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return block
      }
      const { value, done } = await chunks.next().catch(() => ({ value: undefined, done: true }))
      if (done) return undefined
      text += value.toString()
    }
  }
  return {
    next,
    /** The next frame, checked against the document, with its ID. */
    async nextFrame(): Promise<AirFrame & { id: string }> {
      for (;;) {
        const block = await next()
        if (block === undefined) throw new Error('The stream has ended')
        const [, id = '', data = ''] = /^id: (.*)\nevent: frame\ndata: (.*)$/.exec(block) ?? []
        // The validator returns the type of the document.
        if (data !== '') return { ...(v.parse(vAirFrame, JSON.parse(data)) as AirFrame), id }
      }
    },
  }
}

test('a stream begins with the whole picture, and goes on with what changes', async () => {
  const { picture, connect } = await someStreams()
  const { response, next, nextFrame } = await connect()

  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  expect(await next()).toBe('retry: 2000')
  expect(await nextFrame()).toMatchObject({ full: true, tracks: [{ id: 't1' }], notice: 'Not for navigation' })

  picture.change({ tracks: [aTrack({ id: 't2' })], ended: ['t1'] })
  expect(await nextFrame()).toMatchObject({
    full: false,
    tracks: [{ id: 't2' }],
    ended: ['t1'],
    id: expect.stringMatching(/^4712\./),
  })
})

test('a client that connects again with the last ID gets what changed since', async () => {
  const { picture, connect } = await someStreams()
  const first = await connect()
  const { id } = await first.nextFrame()
  first.request.destroy()
  picture.change({ tracks: [aTrack({ id: 't2' })] })

  const second = await connect({ 'last-event-id': id })
  expect(await second.nextFrame()).toMatchObject({ full: false, tracks: [{ id: 't2' }] })
})

test('a box limits the stream, and a track that leaves it has ended', async () => {
  const picture = aPicture({ tracks: [aTrackAt('in', 60.5, 25), aTrackAt('out', 50, 25)] })
  const { connect } = await someStreams(picture)
  const { nextFrame } = await connect({}, '?bbox=24,60,26,61')
  expect((await nextFrame()).tracks.map(({ id }) => id)).toEqual(['in'])

  picture.change({ tracks: [aTrackAt('in', 62, 25)] })
  expect(await nextFrame()).toMatchObject({ tracks: [], ended: ['in'] })
})

test('a box that does not exist is refused before the stream begins', async () => {
  const { connect } = await someStreams()

  expect((await connect({}, '?bbox=24,61,26,60')).response.statusCode).toBe(400)
})

test('after 15 seconds without a frame a comment is sent', async () => {
  const { server, connect } = await streamsOfOwnServer()
  const { next, nextFrame } = await connect()
  await nextFrame()

  await server.clock.advance(15_000)
  expect(await next()).toBe(': keep-alive')
})

test('a stream is compressed for a client that takes it, and each event arrives at once', async () => {
  const { picture, connect } = await someStreams()
  const { response, nextFrame } = await connect({ 'accept-encoding': 'gzip, br' })
  expect(response.headers['content-encoding']).toBe('gzip')
  await nextFrame()

  picture.change({ tracks: [aTrack({ id: 't2' })] })
  expect(await nextFrame()).toMatchObject({ tracks: [{ id: 't2' }] })
  expect((await connect({ 'accept-encoding': 'gzip;q=0' })).response.headers['content-encoding']).toBeUndefined()
})

test('a stream ends within a second after its token was revoked', async () => {
  const { server, token, connect, picture } = await streamsOfOwnServer()
  const { nextFrame, next } = await connect()
  await nextFrame()
  await server.clock.advance(1_000)

  const body = new URLSearchParams({ token, client_id: 'app', client_secret: 's3cret-app' })
  expect((await server.fetch('/oauth/v2/revoke', { method: 'POST', body })).status).toBe(200)
  await server.clock.advance(1_000)
  expect(await next()).toBeUndefined()
  expect(picture.watchers()).toBe(0)
})

test('a stream ends when its token expires', async () => {
  const { server, connect } = await streamsOfOwnServer()
  const { nextFrame, next } = await connect()
  await nextFrame()

  server.clock.leap(15 * 60_000 + 1_000)
  await server.clock.advance(1_000)
  expect(await next()).toBeUndefined()
})

test('streams end when the server stops, and it does not wait for them', async () => {
  const { stop, connect } = await streamsOfOwnServer()
  const { nextFrame, next } = await connect()
  await nextFrame()

  const [last] = await Promise.all([next(), stop()])
  expect(last).toBeUndefined()
})

test('the picture is not watched any more when the client has left', async () => {
  const { picture, connect } = await someStreams()
  const { nextFrame, request } = await connect()
  await nextFrame()
  expect(picture.watchers()).toBe(1)

  request.destroy()
  await vi.waitUntil(() => picture.watchers() === 0)
})

test('a user has ten streams; the next one is 503 with Retry-After, and there is room again when one has ended', async () => {
  const { connect, picture } = await streamsOfOwnServer()
  const open = await Promise.all(Array.from({ length: 10 }, () => connect()))
  const { response } = await connect()
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '10'])

  open[0]?.request.destroy()
  await vi.waitUntil(() => picture.watchers() === 9)
  expect((await connect()).response.statusCode).toBe(200)
})

test('HEAD has the headers only, and takes no stream', async () => {
  const { connect, picture } = await streamsOfOwnServer()
  for (let n = 0; n < 12; n++) {
    const { response, next } = await connect({}, '', 'HEAD')
    expect([response.statusCode, await next()]).toEqual([200, undefined])
  }
  expect(picture.watchers()).toBe(0)
})

test('a browser-only app may open a stream and name its last event', async () => {
  const { server, connect } = await someStreams()
  const origin = 'https://localhost:9443'
  const preflight = await server.fetch('/v1/air/stream', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'last-event-id' },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Last-Event-ID')

  const { response } = await connect({ origin })
  expect(response.headers['access-control-allow-origin']).toBe(origin)
})

test('a user of another account streams another picture', async () => {
  const { server, connect } = await someStreams()
  const { nextFrame } = await connect({ authorization: `Bearer ${await server.userToken(rival)}` })

  expect((await nextFrame()).tracks).toEqual([])
})

test('a client that takes nothing gets few, merged frames afterwards: none waits in memory', async () => {
  const tracks = Array.from({ length: 4_000 }, (_, n) => aTrack({ id: `t${n}` }))
  const { picture, connect } = await someStreams(aPicture({ tracks }))
  const { response, nextFrame } = await connect()
  response.pause()
  const since = vi.spyOn(picture, 'since')
  for (let n = 0; n < 200; n++) {
    picture.change({ tracks })
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The buffers of the operating system take the first ones.
  expect(since.mock.calls.length).toBeLessThan(20)

  let frames = 0
  for (let id = ''; !id.startsWith(`${picture.sequence}.`); frames++) id = (await nextFrame()).id
  expect(frames).toBeLessThan(25)
})
