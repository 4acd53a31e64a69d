import { once } from 'node:events'
import net from 'node:net'
import { setImmediate } from 'node:timers/promises'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isOverBefore } from '../../../../../testing/real-time.ts'
import { stylesheetPath } from '../../../src/pages/style/stylesheet.ts'
import { aReport } from '../../a-report.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'

let overTls: ServerUnderTest
let plain: ServerUnderTest
beforeAll(async () => {
  ;[overTls, plain] = await Promise.all([aServer(), aServer({ flags: { 'insecure-http': true } })])
})
afterAll(() => Promise.all([overTls.stop(), plain.stop()]))

const gigabyte = 1024 ** 3
const megabyte = 1024 ** 2

/** A connection whose bytes the test writes itself. */
async function aConnection({ origin }: ServerUnderTest) {
  const { port, protocol } = new URL(origin)
  const target = { port: Number(port), host: 'localhost', rejectUnauthorized: false }
  const socket = protocol === 'https:' ? tls.connect(target) : net.connect(target)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  // A server that closes the connection while the client sends resets it.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect')

  return {
    socket,
    closed,
    send: (...lines: string[]) => void socket.write(`${lines.join('\r\n')}\r\n\r\n`),
    /** The next answer with its body. */
    async answer() {
      for (;;) {
        const [, head, body = ''] = /^(HTTP\/1\.1 .*?)\r\n\r\n(.*)$/s.exec(text) ?? []
        const length = Number(/^content-length: (\d+)/im.exec(head ?? '')?.[1] ?? 0)
        if (head !== undefined && body.length >= length) {
          text = body.slice(length)
          return { status: Number(head.split(' ')[1]), isLast: /^connection: close$/im.test(head) }
        }
        await once(socket, 'data')
      }
    },
  }
}

/** The head of a report, with a valid token and its own further headers. */
async function report(
  server: ServerUnderTest,
  headers: Record<string, string | number>,
  target = '/v1/position-reports',
) {
  const all = {
    Host: 'localhost',
    Authorization: `Bearer ${await server.deviceToken()}`,
    'Content-Type': 'application/json',
    ...headers,
  }
  return [`POST ${target} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)]
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const kinds: [kind: string, server: () => ServerUnderTest][] = [
  ['TLS', () => overTls],
  ['plain HTTP', () => plain],
]

describe.each(kinds)('over %s', (_kind, serverOf) => {
  describe.each([
    ['a report', '/v1/position-reports', {}],
    ['a report that Express serves', '/v1/position-reports?x=1', {}],
    ['a token request', '/oauth/v2/token', form],
    ['a form of the account page', '/account/password', form],
    ['a form of the portal', '/devices/x/storage', form],
  ])('%s', (_what, target, headers) => {
    test('with a length of 1 GB is refused before it is sent, and the connection closes after at most 1 MiB more', async () => {
      const { socket, send, answer, closed } = await aConnection(serverOf())
      send(...(await report(serverOf(), { ...headers, 'Content-Length': gigabyte }, target)))
      expect(await answer()).toEqual({ status: 413, isLast: true })

      const chunk = Buffer.alloc(64 * 1024, 'x')
      let isClosed = false
      socket.once('close', () => {
        isClosed = true
      })
      while (!isClosed)
        if (!socket.write(chunk)) await Promise.race([closed, new Promise((done) => socket.once('drain', done))])
      // What exceeds 1 MiB was in the buffers of both sides.
      expect(socket.bytesWritten).toBeLessThan(16 * megabyte)
    })

    test('with Expect: 100-continue and a length of 1 GB is refused instead of continued', async () => {
      const { send, answer } = await aConnection(serverOf())
      send(...(await report(serverOf(), { ...headers, Expect: '100-continue', 'Content-Length': gigabyte }, target)))
      expect(await answer()).toEqual({ status: 413, isLast: true })
    })

    test('without a length is refused with 413 as soon as it is too large', async () => {
      const { socket, send, answer, closed } = await aConnection(serverOf())
      send(...(await report(serverOf(), { ...headers, 'Transfer-Encoding': 'chunked' }, target)))
      socket.write(`${gigabyte.toString(16)}\r\n`)
      socket.write(Buffer.alloc(megabyte + 1, 'x'))
      expect(await answer()).toEqual({ status: 413, isLast: true })

      socket.write(Buffer.alloc(2 * megabyte, 'x'))
      await closed
    })
  })

  test('a request that is refused with 401 closes its connection if the rest of its body is long', async () => {
    const { send, answer } = await aConnection(serverOf())
    send(...(await report(serverOf(), { Authorization: 'Bearer x', 'Content-Length': gigabyte })))
    expect(await answer()).toEqual({ status: 401, isLast: true })
  })

  test.each<[status: number, what: string, target: string, headers: Record<string, string>]>([
    [401, 'a wrong token', '/v1/position-reports', { Authorization: 'Bearer x' }],
    [401, 'a wrong token, through Express', '/v1/position-reports?x=1', { Authorization: 'Bearer x' }],
    [404, 'an unknown path', '/v1/nothing', {}],
    [405, 'another method', '/v1/devices', {}],
    [415, 'another type', '/v1/position-reports', { 'Content-Type': 'text/plain' }],
  ])(
    'after %i for %s, a short body that still comes, in pieces, is not read as the next request',
    async (status, _what, target, headers) => {
      const { socket, send, answer } = await aConnection(serverOf())
      const next = JSON.stringify(aReport())
      const nextHead = await report(serverOf(), { 'Content-Length': next.length })
      for (const bytes of [2, 60_000]) {
        send(...(await report(serverOf(), { ...headers, 'Content-Length': bytes }, target)))
        expect(await answer()).toEqual({ status, isLast: false })
        for (let sent = 0; sent < bytes; sent += 1_000) {
          socket.write('x'.repeat(Math.min(1_000, bytes - sent)))
          await setImmediate()
        }
        socket.write([...nextHead, '', next].join('\r\n'))
        expect(await answer()).toEqual({ status: 202, isLast: false })
      }
    },
  )

  test.each<[status: number, what: string, target: string, headers: Record<string, string>]>([
    [400, 'two Hosts', '/v1/position-reports', { 'Content-Type': 'application/json\r\nHost: other' }],
    [401, 'a wrong token', '/v1/position-reports', { Authorization: 'Bearer x' }],
    [401, 'a wrong token, through Express', '/v1/position-reports?x=1', { Authorization: 'Bearer x' }],
    [404, 'an unknown path', '/v1/nothing', {}],
    [405, 'another method', '/v1/devices', {}],
    [415, 'another type', '/v1/position-reports', { 'Content-Type': 'text/plain' }],
    [415, 'another type, through Express', '/v1/position-reports?x=1', { 'Content-Type': 'text/plain' }],
    [415, 'another encoding', '/v1/position-reports', { 'Content-Encoding': 'zstd' }],
  ])('Expect: 100-continue gets %i for %s instead of 100', async (status, _what, target, headers) => {
    const { send, answer, closed } = await aConnection(serverOf())
    send(...(await report(serverOf(), { Expect: '100-continue', 'Content-Length': 10, ...headers }, target)))
    expect(await answer()).toEqual({ status, isLast: true })
    await closed
  })

  test('Expect: 100-continue gets 403 for a token without the scope instead of 100', async () => {
    const { send, answer } = await aConnection(serverOf())
    const Authorization = `Bearer ${await serverOf().deviceToken('scopeless', 'bare1')}`
    send(...(await report(serverOf(), { Authorization, Expect: '100-continue', 'Content-Length': 10 })))
    expect(await answer()).toEqual({ status: 403, isLast: true })
  })

  test.each([
    ['a report', '/v1/position-reports', {}, JSON.stringify(aReport()), 202],
    ['a report that Express serves', '/v1/position-reports?x=1', {}, JSON.stringify(aReport()), 202],
    ['a form of the portal', '/devices/x/storage', form, 'form_token=x', 403],
  ])(
    'Expect: 100-continue of %s gets 100, and its answer after the body',
    async (_what, target, headers, body, status) => {
      const { socket, send, answer } = await aConnection(serverOf())
      send(...(await report(serverOf(), { ...headers, Expect: '100-continue', 'Content-Length': body.length }, target)))
      expect(await answer()).toEqual({ status: 100, isLast: false })

      socket.write(body)
      expect(await answer()).toEqual({ status, isLast: false })
    },
  )
})

test('a client has a second to read its answer: when it sends nothing for so long, it is disconnected', async () => {
  const { send, answer, closed } = await aConnection(plain)
  const head = await report(plain, { 'Content-Length': gigabyte })
  const isSooner = await isOverBefore(950, async () => {
    send(...head)
    await answer()
    // Sooner than by the time-out of requests, 10 s.
    expect(await isOverBefore(8_000, () => closed)).toBe(true)
  })
  expect(isSooner).toBe(false)
})

test('a connection is closed at once when its refused body ends, and not after a second', async () => {
  const [ending, silent] = [await aConnection(plain), await aConnection(plain)]
  for (const { send, answer } of [ending, silent]) {
    send(...(await report(plain, { Authorization: 'Bearer x', 'Transfer-Encoding': 'chunked' })))
    expect(await answer()).toEqual({ status: 401, isLast: true })
  }
  ending.socket.write('1\r\nx\r\n0\r\n\r\n')

  const first = await Promise.race([ending.closed.then(() => 'ending'), silent.closed.then(() => 'silent')])
  expect(first).toBe('ending')
})

test('a connection that sends a long body with the GET of a stylesheet is closed after the answer', async () => {
  const { socket, send, answer, closed } = await aConnection(plain)
  send(`GET ${stylesheetPath} HTTP/1.1`, 'Host: localhost', 'Transfer-Encoding: chunked')
  socket.write('10\r\n')
  expect(await answer()).toEqual({ status: 200, isLast: true })
  await closed
})
