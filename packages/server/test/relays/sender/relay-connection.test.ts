import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DevelopmentCertificate } from '../../../src/adapters/development-certificate.ts'
import type { RelayConnection } from '../../../src/relays/sender/relay-connection.ts'
import type { Resolve } from '../../../src/relays/sender/resolve-host.ts'
import { aFullListener } from '../a-full-listener.ts'
import { aCertificate, aConnection, aRelay } from '../a-relay.ts'

let certificate: DevelopmentCertificate
beforeAll(async () => {
  certificate = await aCertificate()
})

const trusting = () => ({ extraCa: certificate.ca })
const resolving =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test('a message arrives unchanged, and the sender gets the response', async () => {
  const relay = await aRelay(certificate, (_request, response) =>
    response.writeHead(202, { 'Retry-After': '7' }).end('ok'),
  )
  const answer = await aConnection(trusting()).post(relay.url, { body: '{"ü":1}', headers: { 'webhook-id': 'msg_1' } })

  expect({ ...answer, body: answer.body.toString() }).toEqual({ status: 202, body: 'ok', retryAfter: '7' })
  expect(relay.requests).toEqual([
    {
      path: '/hook?x=1',
      body: '{"ü":1}',
      headers: expect.objectContaining({ 'webhook-id': 'msg_1', host: relay.url.host }),
    },
  ])
})

test('consecutive messages share one connection', async () => {
  const relay = await aRelay(certificate, (_request, response) => response.end('x'.repeat(500)))
  const connection = aConnection(trusting())
  for (let n = 0; n < 10; n++) await connection.post(relay.url, { body: String(n), headers: {} })

  expect(relay.requests).toHaveLength(10)
  expect(relay.connections()).toBe(1)
})

test('a relay that closes after each answer gets each message over a new connection', async () => {
  const relay = await aRelay(certificate, (_request, response) =>
    response.writeHead(200, { connection: 'close' }).end('ok'),
  )
  const connection = aConnection(trusting())
  for (let n = 0; n < 3; n++)
    expect((await connection.post(relay.url, { body: String(n), headers: {} })).status).toBe(200)

  expect(relay.requests.map(({ body }) => body)).toEqual(['0', '1', '2'])
  expect(relay.connections()).toBe(3)
})

async function postAll(connection: RelayConnection, url: URL, bodies: string[]): Promise<string[]> {
  const answers: string[] = []
  for (const body of bodies) {
    const answer = await connection.post(url, { body, headers: {} })
    answers.push(`${answer.status} ${answer.body}`)
  }
  return answers
}

test('each message gets its own response', async () => {
  const relay = await aRelay(certificate, (_request, response, body) => response.end(`had ${body}`))

  expect(await postAll(aConnection(trusting()), relay.url, ['0', '1', '2'])).toEqual([
    '200 had 0',
    '200 had 1',
    '200 had 2',
  ])
})

test.each([
  ['a second response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2)],
  ['the start of a second response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 O'],
  ['more bytes than Content-Length says', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nok'],
])('%s is never read as the response to the next message', async (_name, text) => {
  const relay = await aRelay(certificate, ({ socket }) => socket.write(text))
  const answers = await postAll(aConnection(trusting()), relay.url, ['0', '1', '2'])

  expect(new Set(answers.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['200']))
  expect(relay.requests.map(({ body }) => body)).toEqual(['0', '1', '2'])
  expect(relay.connections()).toBe(3)
})

test('when a relay closes the connection after its response, the next message uses another one', async () => {
  const relay = await aRelay(certificate, ({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  await postAll(aConnection(trusting()), relay.url, ['0', '1', '2'])

  expect(relay.requests.map(({ body }) => body)).toEqual(['0', '1', '2'])
})

test('each message has the whole deadline', async () => {
  // Together they take longer than the deadline. Each has a reserve of 600 ms for a busy machine.
  const relay = await aRelay(certificate, (_request, response) => void setTimeout(() => response.end(), 400))
  await postAll(aConnection({ ...trusting(), deadlineMs: 1_000 }), relay.url, ['0', '1', '2'])

  expect(relay.requests).toHaveLength(3)
})

test('an old connection is closed after its message, and the next message uses another one', async () => {
  const relay = await aRelay(certificate, (_request, response) => void setTimeout(() => response.end(), 50))
  await postAll(aConnection({ ...trusting(), connectionAgeMs: 20 }), relay.url, ['0', '1'])

  expect(relay.connections()).toBe(2)
})

test('messages sent at the same time use a connection each, and later messages use the same ones', async () => {
  const relay = await aRelay(certificate)
  const connection = aConnection(trusting())
  const posts = () =>
    Promise.all(Array.from({ length: 20 }, () => connection.post(relay.url, { body: '', headers: {} })))
  await posts()
  await posts()

  expect(relay.requests).toHaveLength(40)
  expect(relay.connections()).toBe(20)
})

test('an aborted message ends at once, and its connection is not used again', async () => {
  const update = new AbortController()
  const relay = await aRelay(certificate, (_request, response, body) =>
    body === 'hangs' ? update.abort() : response.end(),
  )
  const connection = aConnection(trusting())
  await connection.post(relay.url, { body: 'first', headers: {} })
  await expect(connection.post(relay.url, { body: 'hangs', headers: {} }, update.signal)).rejects.toMatchObject({
    code: 'unreachable',
  })
  await connection.post(relay.url, { body: 'last', headers: {} })

  expect(relay.requests.map(({ body }) => body)).toEqual(['first', 'hangs', 'last'])
  expect(relay.connections()).toBe(2)
})

test('a message that is aborted before there is a connection is not sent', async () => {
  const relay = await aRelay(certificate)
  const update = new AbortController()
  const resolving = Promise.withResolvers<void>()
  const resolve: Resolve = async () => {
    update.abort()
    await resolving.promise
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const connection = aConnection({ ...trusting(), resolve })
  const posting = connection.post(relay.url, { body: 'late', headers: {} }, update.signal)
  await expect(posting).rejects.toMatchObject({ code: 'unreachable' })
  resolving.resolve()
  await connection.post(relay.url, { body: 'next', headers: {} })

  expect(relay.requests.map(({ body }) => body)).toEqual(['next'])
})

test('a message whose signal has aborted already is not sent', async () => {
  const relay = await aRelay(certificate)
  const posting = aConnection(trusting()).post(relay.url, { body: '', headers: {} }, AbortSignal.abort())
  await expect(posting).rejects.toMatchObject({ code: 'unreachable' })

  expect(relay.connections()).toBe(0)
})

test('a signal that aborts after the response closes no connection', async () => {
  const relay = await aRelay(certificate)
  const connection = aConnection(trusting())
  const update = new AbortController()
  await connection.post(relay.url, { body: '0', headers: {} }, update.signal)
  update.abort()
  await connection.post(relay.url, { body: '1', headers: {} })

  expect(relay.connections()).toBe(1)
})

describe('no connection is made', () => {
  const policy = { allowPrivate: false }

  test.each([
    ['a private address', ['127.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['a private and a public address', ['127.0.0.1', '93.184.216.34']],
    ['an IPv4-mapped private address', ['::ffff:127.0.0.1']],
    ['a NAT64 address of loopback', ['64:ff9b::7f00:1']],
    ['no address', []],
  ])('to a name with %s', async (_kind, addresses) => {
    const canary = await aRelay(certificate)
    const connection = aConnection({ ...trusting(), policy, resolve: resolving(...addresses) })

    await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(canary.connections()).toBe(0)
  })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]'])('to the literal %s', async (host) => {
    const canary = await aRelay(certificate)
    const url = new URL(`https://${host}:${canary.port}/`)

    await expect(aConnection({ policy }).post(url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(canary.connections()).toBe(0)
  })

  test('to a name whose private address changes', async () => {
    const canary = await aRelay(certificate)
    const answers = [resolving('127.0.0.1'), resolving('10.0.0.1')]
    const connection = aConnection({ ...trusting(), policy, resolve: (host) => (answers.shift() ?? resolving())(host) })
    for (const _ of [1, 2]) {
      await expect(connection.post(canary.url, { body: '', headers: {} })).rejects.toMatchObject({
        code: 'address_refused',
      })
    }
    expect(canary.connections()).toBe(0)
  })

  test('to a name that does not resolve', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
    const posting = aConnection({ resolve }).post(new URL('https://relay.test/'), { body: '', headers: {} })
    await expect(posting).rejects.toMatchObject({ code: 'unresolved' })
  })

  test('with a reason that does not tell an internal name from an unknown one', async () => {
    const url = new URL('https://relay.test/')
    const reasonWith = (resolve: Resolve) =>
      aConnection({ policy, resolve })
        .post(url, { body: '', headers: {} })
        .catch((error) => error.message)
    const unknown = await reasonWith(() => Promise.reject(new Error('queryA ENOTFOUND')))

    expect(unknown).toBe('The host name of the relay address does not lead to a public address')
    expect(await reasonWith(resolving('10.0.0.1'))).toBe(unknown)
    expect(await reasonWith(resolving())).toBe(unknown)
  })
})

test('a name is resolved once per connection, and the resolved address is connected to', async () => {
  const relay = await aRelay(certificate)
  let asked = 0
  const resolve: Resolve = async (host) => {
    asked++
    return resolving('127.0.0.1')(host)
  }
  await aConnection({ ...trusting(), resolve }).post(relay.url, { body: '', headers: {} })
  expect([asked, relay.connections()]).toEqual([1, 1])
})

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i is returned as the response and not followed',
  async (status) => {
    const elsewhere = await aRelay(certificate)
    const relay = await aRelay(certificate, (_request, response) =>
      response.writeHead(status, { Location: elsewhere.url.href }).end(),
    )
    expect((await aConnection(trusting()).post(relay.url, { body: '', headers: {} })).status).toBe(status)
    expect(elsewhere.connections()).toBe(0)
  },
)

describe('a certificate is refused', () => {
  test('of an unknown authority', async () => {
    const relay = await aRelay(certificate)
    await expect(aConnection().post(relay.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'certificate_refused',
    })
    expect(relay.requests).toEqual([])
  })

  test('for another name', async () => {
    const other = await aCertificate(['other.test'])
    const relay = await aRelay(other)
    const posting = aConnection({ extraCa: other.ca }).post(relay.url, { body: '', headers: {} })
    await expect(posting).rejects.toMatchObject({ code: 'certificate_refused' })
  })
})

test('TLS below 1.2 is refused', async () => {
  const relay = await aRelay(certificate, undefined, {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  })
  await expect(aConnection(trusting()).post(relay.url, { body: '', headers: {} })).rejects.toMatchObject({
    code: 'tls_failed',
  })
})

async function aTcpServer(onConnection: (write: (text: string) => void, end: () => void) => void): Promise<URL> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {
      // The other side closes the connection, as expected.
    })
    onConnection(
      (text) => socket.write(text),
      () => socket.destroy(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return new URL(`https://relay.test:${(server.address() as { port: number }).port}/`)
}

test('a server without TLS gets another reason than one that does not answer', async () => {
  const plain = await aTcpServer((write, end) => {
    write('HTTP/1.1 400 Bad Request\r\n\r\n')
    end()
  })
  const posting = aConnection(trusting()).post(plain, { body: '', headers: {} })
  await expect(posting).rejects.toMatchObject({
    code: expect.stringMatching(/^tls_failed|connection_lost|unreachable$/),
  })
})

test('a port without a listener refuses the connection', async () => {
  const relay = await aRelay(certificate)
  const url = new URL(relay.url)
  url.port = '1'
  await expect(aConnection(trusting()).post(url, { body: '', headers: {} })).rejects.toMatchObject({
    code: 'connection_refused',
  })
})

describe.each([
  ['the connect timeout', { connectTimeoutMs: 100, deadlineMs: 60_000 }],
  ['the deadline of the attempt', { connectTimeoutMs: 60_000, deadlineMs: 150 }],
])('%s ends an attempt with', (_limit, limits) => {
  test('a connection that is not accepted', async ({ skip }) => {
    const port = await aFullListener()
    if (port === undefined) return skip('The kernel of this machine accepts every connection')
    const url = new URL(`https://relay.test:${port}/`)
    const posting = aConnection({ ...trusting(), ...limits }).post(url, { body: '', headers: {} })
    await expect(posting).rejects.toMatchObject({ code: 'timeout' })
  })

  test('a handshake that stalls', async () => {
    const silent = await aTcpServer(() => {})
    const posting = aConnection({ ...trusting(), ...limits }).post(silent, { body: '', headers: {} })
    await expect(posting).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('the deadline ends', () => {
  const withShortDeadline = () => aConnection({ ...trusting(), deadlineMs: 150 })

  test('an answer that never comes', async () => {
    const relay = await aRelay(certificate, () => {})
    await expect(withShortDeadline().post(relay.url, { body: '', headers: {} })).rejects.toMatchObject({
      code: 'timeout',
    })
  })

  test('an answer that arrives byte by byte', async () => {
    const relay = await aRelay(certificate, (_request, response) => {
      const writing = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(writing))
    })
    await expect(withShortDeadline().post(relay.url, { body: '', headers: {}, needsBody: true })).rejects.toMatchObject(
      {
        code: 'timeout',
      },
    )
  })
})

test('an endless response is truncated', async () => {
  let written = 0
  const relay = await aRelay(certificate, (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const post = (needsBody: boolean) => aConnection(trusting()).post(relay.url, { body: '', headers: {}, needsBody })
  const lengths = [await post(false), await post(true)].map(({ body }) => body.length)

  expect(lengths).toEqual([501, 1_025])
  expect(written).toBeLessThan(16 * 1024 * 1024)
})

test('a compressed response is not decompressed', async () => {
  const zipped = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const relay = await aRelay(certificate, (_request, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zipped),
  )
  const { body } = await aConnection(trusting()).post(relay.url, { body: '', headers: {}, needsBody: true })
  expect(body).toEqual(zipped.subarray(0, 1_025))
})

test('no reason contains an address or a response of the server', async () => {
  const url = await aTcpServer((write, end) => {
    write('SSH-2.0-OpenSSH_9.2\r\n')
    end()
  })
  const error = await aConnection(trusting())
    .post(url, { body: '', headers: {} })
    .catch((thrown: Error) => thrown)
  expect(String(error)).not.toMatch(/127|SSH-2|ECONN|wrong version/i)
})
