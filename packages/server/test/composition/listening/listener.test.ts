import { once } from 'node:events'
import net from 'node:net'
import { vProblem } from '@posrep/spec/validators'
import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import { createListener, type ListenerOptions, listen, openFor } from '../../../src/composition/listening/listener.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A plain HTTP server with short timeouts; its app answers when the body is complete. */
async function aListener(options: Partial<ListenerOptions> = {}) {
  const { server: listener } = createListener({ maxConnections: 10, headersMs: 100, requestMs: 200, ...options })
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

  return { connect, send }
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
    ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nx\r\n`, 400, 'invalid_request'],
    ['a header with a control character', `${post}X: a\u0000b\r\n\r\n`, 400, 'invalid_request'],
  ])('%s', async (_kind, bytes, status, code) => {
    const { send } = await aListener()
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
  const { server: listener } = createListener({ maxConnections: 10 })
  const port = await listen(listener, { host: '127.0.0.1', port: 0 })
  stops.push(() => listener.close())
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})
