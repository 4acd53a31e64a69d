import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { vProblem } from '@posrep/spec/validators'
import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import { createListener, type ListenerOptions, listen, openFor } from '../../../src/composition/listening/listener.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { endBeforeBody } from '../../../src/http/body/unread-body.ts'
import { aDevelopmentCertificate } from './a-development-certificate.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A plain HTTP server with short timeouts; its app answers when the body is complete. */
async function aListener(options: Partial<ListenerOptions> = {}) {
  const clock = createManualClock()
  const { server: listener, drain } = createListener({
    maxConnections: 10,
    clock,
    headersMs: 100,
    requestMs: 200,
    ...options,
  })
  const port = await listen(listener, { host: '127.0.0.1', port: 0 })
  openFor(listener, (request, response) => {
    request.on('end', () => response.end('taken')).resume()
  })
  stops.push(() => {
    listener.close()
    listener.closeAllConnections()
  })

  async function connect(): Promise<net.Socket> {
    const socket = net.connect(port, '127.0.0.1').setEncoding('utf8')
    stops.push(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  /** Returns everything received until the server closes the connection. */
  async function send(bytes: string): Promise<string> {
    const socket = await connect()
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(bytes, 'latin1')
    await once(socket, 'close')
    return text
  }

  return { listener, clock, drain, connect, send }
}

function toAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), problem: v.parse(vProblem, JSON.parse(body)) }
}

const post = 'POST / HTTP/1.1\r\nHost: localhost\r\n'

describe('bytes that are not a valid request are answered with a problem, and the connection is closed', () => {
  test.each([
    ['headers that do not end', `${post}X-Slow: `, 408, 'request_timeout'],
    ['nothing at all', '', 408, 'request_timeout'],
    ['a body that does not come', `${post}Content-Length: 10\r\n\r\n{`, 408, 'request_timeout'],
    ['a chunked body that stops', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, 408, 'request_timeout'],
    ['headers of more than 16 KiB', `${post}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a target of more than 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n`, 431, 'headers_too_large'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 400, 'invalid_request'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'invalid_request'],
    ['a length that is not a number', `${post}Content-Length: x\r\n\r\n`, 400, 'invalid_request'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, 'invalid_request'],
    [
      'a length beside chunks',
      `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    ['a transfer coding', `${post}Transfer-Encoding: gzip\r\n\r\n`, 501, 'transfer_encoding_not_supported'],
    ['identity', `${post}Transfer-Encoding: identity\r\n\r\n`, 501, 'transfer_encoding_not_supported'],
    [
      'chunks before another coding',
      `${post}Transfer-Encoding: chunked, gzip\r\n\r\n`,
      501,
      'transfer_encoding_not_supported',
    ],
    ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: localhost\r\n\r\n', 505, 'http_version_not_supported'],
    ['HTTP/3.0', 'GET / HTTP/3.0\r\nHost: localhost\r\n\r\n', 505, 'http_version_not_supported'],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'http_version_not_supported'],
    ['a line that ends without a carriage return', 'GET / HTTP/1.1\nHost: localhost\n\n', 400, 'invalid_request'],
    ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`, 400, 'invalid_request'],
    ['a header with a control character', `${post}X: a\u0000b\r\n\r\n`, 400, 'invalid_request'],
  ])('%s', async (_kind, bytes, status, code) => {
    // On a busy machine, bytes may be read only after a short timeout.
    const { send } = await aListener(status === 408 ? {} : { headersMs: 5_000, requestMs: 10_000 })
    const answer = toAnswer(await send(bytes))

    expect([answer.status, answer.problem.status, answer.problem.code]).toEqual([status, status, code])
    expect(answer.head).toContain('connection: close')
    expect(answer.head).toContain('content-type: application/problem+json')
  })
})

test('invalid bytes after an answered request are answered with a problem', async () => {
  const { connect } = await aListener()
  const socket = await connect()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200/)
  socket.write('nonsense\r\n')
  expect(toAnswer(String(await once(socket, 'data'))).problem.code).toBe('invalid_request')
})

test('invalid bytes after a request in flight close the connection after its answer', async () => {
  const { send } = await aListener()
  const text = await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n')
  expect(text).toMatch(/^HTTP\/1.1 200[\s\S]*taken$/)
})

test.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_SSL_BAD_RECORD_TYPE'])(
  'a connection that fails with %s, which says nothing about its request, is closed without an answer',
  async (code) => {
    const { listener, connect } = await aListener()
    const connected = once(listener, 'connection')
    const client = await connect()
    let text = ''
    client.on('data', (chunk) => (text += chunk)).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => text).toContain('taken')
    text = ''
    const [socket] = await connected
    socket.on('error', () => {})
    listener.emit('clientError', Object.assign(new Error(code), { code }), socket)
    await once(client, 'close')

    expect(text).toBe('')
  },
)

test('a TLS handshake that takes too long ends without an answer, which would arrive as that of the first request', async () => {
  const clock = createManualClock()
  const { listener, connect } = await aListener({
    clock,
    certificate: await aDevelopmentCertificate(clock),
    handshakeMs: 50,
  })
  const late = once(listener, 'tlsClientError')
  const client = await connect()
  expect(await late).toMatchObject([{ code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }, {}])
  const secure = tls.connect({ socket: client, rejectUnauthorized: false }).setEncoding('utf8')
  let text = ''
  secure.on('data', (chunk) => (text += chunk)).on('error', () => {})
  secure.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => secure.destroyed).toBe(true)

  expect(text).toBe('')
})

test('an answer that was sent before the body arrives whole, although the body is broken', async () => {
  const { listener, send } = await aListener()
  const answer = JSON.stringify({ code: 'refused' })
  listener.prependListener('request', (_request, response) => endBeforeBody(response, answer))

  expect(await send(`${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`)).toContain(answer)
})

test.each([1, 17])(
  'of %i requests at once with an expectation that nobody knows, each is answered in turn',
  async (count) => {
    const { connect } = await aListener({ requestMs: 60_000 })
    const socket = await connect()
    const request = `${post}Expect: more\r\nContent-Length: 2\r\n\r\n{}`
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).write(request.repeat(count))

    await expect.poll(() => text.split('taken')).toHaveLength(count + 1)
    expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(count)
  },
)

test('a connection beyond the limit is closed, and existing ones are served', async () => {
  const { connect } = await aListener({ maxConnections: 2, headersMs: 5_000, requestMs: 5_000 })
  const first = await connect()
  const second = await connect()
  const third = (await connect()).resume()
  await once(third, 'close')

  for (const socket of [first, second]) {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200/)
  }
  first.end()
  await once(first.resume(), 'close')
  const fourth = await connect()
  fourth.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String(await once(fourth, 'data'))).toMatch(/^HTTP\/1.1 200/)
})

test('until the app is attached, requests get 503 with Retry-After', async () => {
  const { server: listener } = createListener({ maxConnections: 10, clock: createManualClock() })
  const port = await listen(listener, { host: '127.0.0.1', port: 0 })
  stops.push(() => listener.close())
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})

test('until the app is attached, a sender of chunks gets its 503 while it sends, and then the connection closes', async () => {
  const { server: listener } = createListener({ maxConnections: 10, clock: createManualClock() })
  const port = await listen(listener, { host: '127.0.0.1', port: 0 })
  const client = net.connect(port, '127.0.0.1').setEncoding('utf8')
  stops.push(
    () => client.destroy(),
    () => listener.close(),
  )
  let text = ''
  client.on('data', (chunk) => (text += chunk)).write(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`)
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nConnection: close\r\n/)
  client.write('1\r\nx\r\n0\r\n\r\n')
  await once(client, 'end')
})

test('a request has 5 s for its headers and 10 s with its body', () => {
  const { server } = createListener({ maxConnections: 10, clock: createManualClock() })
  expect([server.headersTimeout, server.requestTimeout]).toEqual([5_000, 10_000])
})

describe('a shutdown', () => {
  const never = { headersMs: 60_000, requestMs: 60_000 }

  /** A request whose body does not come. */
  async function anUnfinishedRequest({ listener, connect }: Awaited<ReturnType<typeof aListener>>) {
    const socket = (await connect()).resume()
    const requested = once(listener, 'request')
    socket.write(`${post}Content-Length: 10\r\n\r\n{`)
    await requested
    return { socket, closed: once(socket, 'close') }
  }

  test.each([
    [6_000, 0],
    [6_000, 1_000],
    [6_000, 3_000],
    [18_000, 15_000],
  ])('ends a request that is not finished after %i ms, with a notice of %i ms', async (ms, noticeMs) => {
    const scene = await aListener(never)
    const { clock, drain } = scene
    const { socket, closed } = await anUnfinishedRequest(scene)
    let isOver = false
    const over = drain(noticeMs).then(() => {
      isOver = true
    })

    await clock.advance(ms - 1)
    expect([isOver, socket.destroyed]).toEqual([false, false])
    await clock.advance(1)
    await over
    await closed
  })

  test('accepts connections until the notice is over, and is over when none is left', async () => {
    const { listener, clock, drain, send } = await aListener(never)
    const over = drain(2_000)

    await clock.advance(1_999)
    expect(await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/\r\nConnection: close\r\n/)
    expect(listener.listening).toBe(true)
    await clock.advance(1)
    await over
    expect(listener.listening).toBe(false)
  })
})
