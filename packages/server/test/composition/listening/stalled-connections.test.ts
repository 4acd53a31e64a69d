import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createListener, listen, openFor } from '../../../src/composition/listening/listener.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { writeEventStream } from '../../../src/http/event-stream.ts'
import { writeAnswer } from '../../../src/http/operation/answer.ts'
import { pieceBytes } from '../../../src/http/pieces.ts'
import { aDevelopmentCertificate } from './a-development-certificate.ts'

const mebibyte = 1024 * 1024
const file = Buffer.alloc(32 * mebibyte, 'x')
const always = { status: 200, headers: {}, media: 'text/plain', text: '' }

async function* portions() {
  for (let n = 0; n < 32; n++) yield 'x'.repeat(mebibyte)
}

/** More than any connection buffers. */
const answers: Record<string, RequestListener> = {
  'a file': (_request, response) => void writeAnswer(response, { ...always, file }),
  'a text': (_request, response) => void writeAnswer(response, { ...always, text: 'x'.repeat(12 * mebibyte) }),
  'a list in portions': (_request, response) =>
    void writeAnswer(response, { ...always, portions: { text: portions, close: async () => {} } }),
  'an event stream': (_request, response) =>
    void writeEventStream(response, {
      async run({ write, ended }) {
        while (!ended.aborted) await write('x'.repeat(mebibyte))
      },
      cancel() {},
    }),
  'bytes that nothing paces': (_request, response) => void response.end(file),
}

async function aServer(answer: RequestListener, isSecure = false) {
  const clock = createManualClock()
  const certificate = isSecure ? await aDevelopmentCertificate(clock) : undefined
  const { server } = createListener({ maxConnections: 100, clock, certificate })
  const sockets: Socket[] = []
  server.on('request', ({ socket }) => sockets.push(socket))
  openFor(server, answer)
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  /** Sends a request and reads nothing. */
  async function connect() {
    const client = isSecure
      ? tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : net.connect(port, '127.0.0.1')
    client.on('error', () => {})
    onTestFinished(() => void client.destroy())
    await once(client, isSecure ? 'secureConnect' : 'connect')
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => sockets.length).toBeGreaterThan(0)
    return { client, socket: sockets.pop() as Socket }
  }

  /** Resolves when the server waits for the client. */
  async function ask() {
    const { client, socket } = await connect()
    await settled(socket)
    return { client, socket }
  }

  return { clock, connect, ask }
}

/** Resolves when the client's machine takes no more. */
async function settled(socket: Socket): Promise<void> {
  let before = -1
  await expect
    .poll(() => before === (before = socket.bytesWritten) && socket.writableLength > 0, { interval: 50 })
    .toBe(true)
}

test.each(Object.entries(answers))(
  '%s: a client that takes nothing for 30 s is disconnected',
  async (_kind, answer) => {
    const { clock, ask } = await aServer(answer)
    const { socket } = await ask()
    await clock.advance(30_000)
    expect(socket.destroyed).toBe(false)
    await clock.advance(10_000)
    expect(socket.destroyed).toBe(true)
  },
)

test('over TLS, a client that takes nothing for 30 s is disconnected', async () => {
  const { clock, ask } = await aServer(answers['a file'] as RequestListener, true)
  const { socket } = await ask()
  await clock.advance(30_000)
  expect(socket.destroyed).toBe(false)
  await clock.advance(10_000)
  expect(socket.destroyed).toBe(true)
})

test('a client that takes some of it in every 30 s stays connected', async () => {
  const { clock, ask } = await aServer(answers['a file'] as RequestListener)
  const { client, socket } = await ask()
  for (let n = 0; n < 4; n++) {
    await clock.advance(25_000)
    const before = socket.bytesWritten
    for (let read = 0; read < 4 * mebibyte; ) {
      await once(client, 'readable')
      for (let chunk = client.read(); chunk !== null; chunk = client.read()) read += chunk.length
    }
    await settled(socket)
    expect(socket.bytesWritten - before).toBeGreaterThan(pieceBytes)
  }
  expect(socket.destroyed).toBe(false)
})

test.each(['a file', 'a text', 'a list in portions', 'an event stream'])(
  '%s: no more than a piece is queued for a client that takes nothing',
  async (kind) => {
    const { ask } = await aServer(answers[kind] as RequestListener)
    const { socket } = await ask()
    expect(socket.writableLength).toBeLessThan(pieceBytes + 1024)
  },
)

test('a connection that waits for the server stays open', async () => {
  const { clock, connect } = await aServer(() => {})
  const { socket } = await connect()
  await clock.advance(120_000)
  expect(socket.destroyed).toBe(false)
})
