/** Every way in which an exchange with a relay fails, each with a real server and the reason that its owner sees. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls, { type TLSSocket, type TlsOptions } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Post } from '../../../src/relays/sender/exchange.ts'
import { aConnection } from '../a-relay.ts'
import { anAuthority, aSelfSignedCertificate, type ServerCertificate } from './an-authority.ts'

const authority = await anAuthority()
const good = withChain(await authority.issue())

function withChain({ cert, key }: ServerCertificate): ServerCertificate {
  return { cert: `${cert}\n${authority.intermediate}`, key }
}

/** A connection to addresses that count as public. */
function aPublicConnection(options: Parameters<typeof aConnection>[0] = {}) {
  return aConnection({ policy: { allowPrivate: false }, isAllowed: () => true, extraCa: authority.ca, ...options })
}

async function reasonAt(server: net.Server, post: Partial<Post> = {}, options = {}): Promise<string> {
  const posting = aPublicConnection(options).post(await listen(server), { body: '{}', headers: {}, ...post })
  return posting.then(
    ({ status }) => `answered ${status}`,
    ({ message }) => message,
  )
}

async function listen(server: net.Server): Promise<URL> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A TCP server's address is an AddressInfo.
  return new URL(`https://relay.test:${(server.address() as AddressInfo).port}/hook`)
}

/** Listens with TLS; the test reads and writes bytes. */
function aTlsServer(onSocket: (socket: TLSSocket) => void, options: TlsOptions = good): tls.Server {
  return tls.createServer({ ...good, ...options }, (socket) => {
    // The sender closes the connection, as expected.
    socket.on('error', () => {})
    onSocket(socket)
  })
}

/** Answers a request with these bytes, and closes the connection. */
const answering = (bytes: string | Uint8Array, options?: TlsOptions) =>
  aTlsServer((socket) => socket.once('data', () => socket.end(bytes)), options)

function aTcpServer(onSocket: (socket: net.Socket) => void): net.Server {
  return net.createServer((socket) => {
    // As above.
    socket.on('error', () => {})
    onSocket(socket)
  })
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

test('a good certificate with its chain is accepted', async () => {
  expect(await reasonAt(answering(ok))).toBe('answered 200')
})

const certificates: Record<
  string,
  { certificate: () => Promise<ServerCertificate>; reason: RegExp; extraCa?: string }
> = {
  'has expired': {
    certificate: async () => withChain(await authority.issue({ fromDays: -3, toDays: -1 })),
    reason: /certificate of the relay has expired$/,
  },
  'is not valid yet': {
    certificate: async () => withChain(await authority.issue({ fromDays: 1, toDays: 3 })),
    reason: /certificate of the relay is not valid yet$/,
  },
  'has another name': {
    certificate: async () => withChain(await authority.issue({ name: 'other.test' })),
    reason: /certificate of the relay is for another host name$/,
  },
  'is self-signed': {
    certificate: aSelfSignedCertificate,
    reason: /is self-signed; it must be of a public authority$/,
  },
  'comes without its chain': { certificate: () => authority.issue(), reason: /sends an incomplete chain/ },
  'is of an authority that nobody knows': {
    certificate: async () => {
      const stranger = await anAuthority('Stranger')
      const { cert, key } = await stranger.issue()
      return { cert: [cert, stranger.intermediate, stranger.ca].join('\n'), key }
    },
    reason: /is of an authority that is not public, or that this service does not know$/,
  },
  'is one for clients': {
    certificate: async () => withChain(await authority.issue({ usage: '1.3.6.1.5.5.7.3.2' })),
    reason: /is not one for servers$/,
  },
}

for (const [what, { certificate, reason }] of Object.entries(certificates)) {
  test(`a certificate that ${what} has a reason of its own, and the log has its code`, async () => {
    const logger = { info: vi.fn() }
    const server = answering(ok, await certificate())

    expect(await reasonAt(server, {}, { logger })).toMatch(reason)

    expect(logger.info.mock.calls).toEqual([
      [
        expect.objectContaining({
          host: expect.stringContaining('relay.test'),
          cause: expect.stringMatching(/^[A-Z_]+$/),
        }),
        'relay attempt failed',
      ],
    ])
  })
}

const servers: Record<string, { server: () => net.Server; reason: RegExp }> = {
  'speaks TLS 1.1 at most': {
    server: () => aTlsServer(() => {}, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
    reason: /^The relay must support TLS 1\.2 or newer$/,
  },
  'has no common cipher': {
    server: () => aTlsServer(() => {}, { maxVersion: 'TLSv1.2', ciphers: 'AES256-SHA256' }),
    reason: /^The relay refused the TLS handshake: it has no cipher in common/,
  },
  'has no certificate for the name': {
    server: () => tls.createServer({ SNICallback: (_name, found) => found(null) }),
    reason: /^The relay refused the TLS handshake: it has no cipher in common .*no certificate for this host name/,
  },
  'demands a client certificate in TLS 1.2': {
    server: () => aTlsServer(() => {}, { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    reason: /demands a client certificate, which is not sent$/,
  },
  'takes HTTP/2 only': {
    server: () => http2.createSecureServer(good),
    reason: /^The relay takes HTTP\/2 only; messages are sent with HTTP\/1\.1$/,
  },
  'speaks HTTP without TLS': {
    server: () => aTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    reason: /^The port of the relay does not speak TLS$/,
  },
  'is an SSH server': {
    server: () => aTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')),
    reason: /^The port of the relay does not speak TLS$/,
  },
  'closes before the handshake': {
    server: () => aTcpServer((socket) => socket.end()),
    reason: /^The relay closed the connection before the TLS handshake was complete$/,
  },
  'resets the connection in the handshake': {
    server: () => aTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    reason: /^The relay closed the connection before it answered$/,
  },
  'never continues the handshake': { server: () => aTcpServer(() => {}), reason: /did not answer in time$/ },
  'never answers': { server: () => aTlsServer(() => {}), reason: /did not answer in time$/ },
  'never ends its headers': {
    server: () => aTlsServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx: y\r\n'))),
    reason: /did not answer in time$/,
  },
  'closes before it answers': {
    server: () => aTlsServer((socket) => socket.once('data', () => socket.end())),
    reason: /^The relay closed the connection before it answered$/,
  },
  'closes in its headers': {
    server: () => answering('HTTP/1.1 200 O'),
    reason: /^The relay closed the connection before it answered$/,
  },
  'answers as SSH does': { server: () => answering('SSH-2.0-OpenSSH_9.2\r\n'), reason: /the answer was not HTTP$/ },
  'speaks as SSH does, first': {
    server: () => aTlsServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')),
    reason: /the answer was not HTTP$/,
  },
  'answers with HTML alone': { server: () => answering('<html></html>'), reason: /the answer was not HTTP$/ },
  'answers in frames of HTTP/2': {
    server: () => answering(Uint8Array.of(0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100)),
    reason: /the answer was not HTTP$/,
  },
  'answers with a status that is none': {
    server: () => answering('HTTP/1.1 abc OK\r\n\r\n'),
    reason: /the answer was not HTTP$/,
  },
  'has a space in the name of a header': {
    server: () => answering('HTTP/1.1 200 OK\r\nx y: z\r\n\r\n'),
    reason: /answered with a malformed HTTP header$/,
  },
  'has a length that is no number': {
    server: () => answering('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'),
    reason: /answered with a malformed HTTP header$/,
  },
  'has a header that is too large': {
    server: () => answering(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    reason: /^The HTTP headers of the answer were too large/,
  },
  'has too many headers': {
    server: () => answering(`HTTP/1.1 200 OK\r\n${'x-header: value\r\n'.repeat(3_000)}\r\n`),
    reason: /^The HTTP headers of the answer were too large/,
  },
  'has two lengths': {
    server: () => answering('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    reason: /^The answer of the relay names a length that its body does not have, or two lengths$/,
  },
  'switches protocols': {
    server: () => answering('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    reason: /^The relay switched protocols unasked \(101\)$/,
  },
  'sends informational answers without end': {
    server: () => answering('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(21) + ok),
    reason: /more than 20 informational answers/,
  },
  'sends 100 without end': {
    server: () => answering('HTTP/1.1 100 Continue\r\n\r\n'.repeat(21) + ok),
    reason: /more than 20 informational answers/,
  },
}

for (const [what, { server, reason }] of Object.entries(servers)) {
  test(`a relay that ${what} has a true reason`, async () => {
    const limits = reason.source.includes('in time') ? { connectTimeoutMs: 300, deadlineMs: 500 } : {}
    expect(await reasonAt(server(), {}, limits)).toMatch(reason)
  })
}

/** Node's own server closes the connection where OpenSSL's sends an alert. */
test('a relay that demands a client certificate in TLS 1.3 has a true reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-relay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [certFile, keyFile] = [join(folder, 'relay.pem'), join(folder, 'relay-key.pem')]
  await Promise.all([writeFile(certFile, good.cert), writeFile(keyFile, good.key)])
  const args = [
    's_server',
    '-accept',
    '127.0.0.1:0',
    '-cert',
    certFile,
    '-key',
    keyFile,
    '-cert_chain',
    certFile,
    '-Verify',
    '1',
  ]
  const child = spawn('openssl', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (/ACCEPT .*\n/.test(output)) break
  }
  const [, port] = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(output) ?? []
  const posting = aPublicConnection().post(new URL(`https://relay.test:${port}/`), { body: '{}', headers: {} })

  await expect(posting).rejects.toThrow('The relay demands a client certificate; none is sent')
})

test.each<[string, string]>([
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
  ['twenty of them', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)],
])('informational answers before the final one are skipped: %s', async (_status, informational) => {
  let requests = 0
  const server = aTlsServer((socket) =>
    socket.on('data', () => {
      requests++
      socket.write(`${informational}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ncode`)
    }),
  )
  const url = await listen(server)
  const connection = aPublicConnection()
  for (let n = 0; n < 3; n++) {
    const { status, body } = await connection.post(url, { body: '{}', headers: {}, needsBody: true })
    expect([status, String(body)]).toEqual([200, 'code'])
  }
  // The sender learns of an unasked 100 once, and sends that message again.
  expect(requests).toBeLessThanOrEqual(4)
})

test('the address is checked also where informational answers are tolerated', async () => {
  const server = aTlsServer((socket) => socket.on('data', () => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok}`)))
  const url = await listen(server)
  let allowed = true
  const connection = aPublicConnection({ isAllowed: () => allowed })
  expect((await connection.post(url, { body: '{}', headers: {} })).status).toBe(200)
  allowed = false

  await expect(connection.post(url, { body: '{}', headers: {} })).rejects.toMatchObject({ code: 'address_refused' })
})

const unfinished: Record<string, string> = {
  'that never ends': 'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n',
  'that never begins': 'HTTP/1.1 202 Accepted\r\ncontent-length: 5\r\n\r\n',
  'with a wrong chunk': 'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
}

for (const [what, bytes] of Object.entries(unfinished)) {
  test(`the status decides for a report also before a body ${what}, and for a validation it does not`, async () => {
    const aServer = () => aTlsServer((socket) => socket.once('data', () => socket.write(bytes)))

    expect(await reasonAt(aServer())).toBe('answered 202')
    expect(await reasonAt(aServer(), { needsBody: true }, { deadlineMs: 700 })).toMatch(
      /did not answer in time$|before the body of its answer was complete$/,
    )
  })
}

test('a body that ends early is a failure of a validation, with its reason', async () => {
  const aServer = () => answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab')

  expect(await reasonAt(aServer())).toBe('answered 200')
  expect(await reasonAt(aServer(), { needsBody: true })).toBe(
    'The relay closed the connection before the body of its answer was complete',
  )
})

test('where private addresses are allowed, reasons tell less, and the log has the cause', async () => {
  const logger = { info: vi.fn() }
  const coarse = async (server: net.Server, post: Partial<Post> = {}) =>
    reasonAt(server, post, { policy: { allowPrivate: true }, logger })

  expect(await coarse(answering(ok, withChain(await authority.issue({ fromDays: -3, toDays: -1 }))))).toBe(
    'The TLS certificate of the relay was not accepted',
  )
  expect(await coarse(aTcpServer((socket) => socket.end('220 mail\r\n')))).toBe(
    'The TLS connection to the relay failed',
  )
  expect(await coarse(answering('HTTP/1.1 200 OK\r\nx y: z\r\n\r\n'))).toBe('The answer of the relay could not be read')
  expect(await coarse(answering('SSH-2.0-x\r\n'))).toMatch(/the answer was not HTTP$/)
  expect(logger.info.mock.calls.map(([{ code }]) => code)).toEqual([
    ...['certificate_expired', 'tls_not_spoken', 'header_malformed', 'not_http'],
  ])
})

test('a failure is logged when it begins and when its reason changes, and not at every attempt', async () => {
  const logger = { info: vi.fn() }
  let answer = 'SSH-2.0-x\r\n'
  const url = await listen(aTlsServer((socket) => socket.once('data', () => socket.end(answer))))
  const connection = aPublicConnection({ logger })
  const post = () => connection.post(url, { body: '{}', headers: {} }).catch(() => {})

  for (let n = 0; n < 3; n++) await post()
  answer = 'HTTP/1.1 200 O'
  await post()
  answer = ok
  await post()
  answer = 'HTTP/1.1 200 O'
  await post()

  expect(logger.info.mock.calls.map(([{ code }]) => code)).toEqual(['not_http', 'connection_lost', 'connection_lost'])
})
