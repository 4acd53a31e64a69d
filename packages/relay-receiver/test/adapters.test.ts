import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { PositionReport, Problem } from '@posrep/spec'
import express from 'express'
import { afterEach, expect, test, vi } from 'vitest'
import { relayReceiver } from '../src/express.ts'
import { createReceiver, type ReceiverOptions, verifySignatures } from '../src/index.ts'
import { toNodeListener } from '../src/node.ts'
import { aReport, aReportMessage, aSigningKey, fakeClock, validationCode } from './builders.ts'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})

const adapters: Record<string, (options: ReceiverOptions) => RequestListener> = {
  'node:http': (options) => toNodeListener(createReceiver(options)),
  Express: (options) => express().use('/relay', relayReceiver(options)),
}

for (const [name, listener] of Object.entries(adapters)) {
  test(`${name}: a validation message is answered with its code`, async () => {
    const address = await listen(listener({ onReport: () => {} }))

    const response = await post(address, JSON.stringify({ name: 'validate', version: '1.0', validationCode }))

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(validationCode)
  })

  test(`${name}: a large report arrives complete and is answered with 204`, async () => {
    const received: PositionReport[] = []
    const address = await listen(listener({ onReport: (report) => void received.push(report) }))
    const report = aReport({ sensor: { id: 'roof1', additionalInfo: { text: 'ä€😀'.repeat(100_000) } } })

    const response = await post(address, JSON.stringify(aReportMessage(report)))

    expect(response.status).toBe(204)
    expect(received).toEqual([report])
  })

  test(`${name}: a body over the limit is answered with 413, and the connection serves the next request`, async () => {
    const address = await listen(listener({ onReport: () => {}, maxBodyBytes: 1024 }))

    const response = await post(address, ' '.repeat(3 * 1024 * 1024))

    expect(response.status).toBe(413)
    expect((await post(address, JSON.stringify(aReportMessage()))).status).toBe(204)
  })

  test(`${name}: a chunked body over the limit is answered with 413 before it ends`, async () => {
    const address = await listen(listener({ onReport: () => {}, maxBodyBytes: 1024 }))
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')
    const chunk = `${(2048).toString(16)}\r\n${' '.repeat(2048)}\r\n`

    socket.write(
      `POST /relay HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    )

    expect(await firstData(socket)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test(`${name}: a sender that disconnects in the middle of a body does not affect the next request`, async () => {
    const onReport = vi.fn()
    const address = await listen(listener({ onReport }))
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')

    const head =
      'POST /relay HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{'
    await new Promise((written) => socket.write(head, written))
    socket.destroy()

    expect((await post(address, JSON.stringify(aReportMessage()))).status).toBe(204)
    expect(onReport).toHaveBeenCalledTimes(1)
  })

  test(`${name}: a GET is answered with 405`, async () => {
    const response = await fetch(await listen(listener({ onReport: () => {} })))

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test(`${name}: a TRACE is answered with 405`, async () => {
    const address = await listen(listener({ onReport: () => {} }))
    const socket = connect(Number(new URL(address).port), '127.0.0.1')

    socket.write('TRACE /relay HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n')

    expect(await firstData(socket)).toMatch(/^HTTP\/1\.1 405 /)
    socket.destroy()
  })
}

test('Express: a receiver mounted after express.json() fails with an error that says how to mount it', async () => {
  const errors: unknown[] = []
  const app = express().use(express.json())
  app.use('/relay', relayReceiver({ onReport: () => {} }))
  const keepError: express.ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error)
    response.sendStatus(500)
  }
  app.use(keepError)

  const response = await post(await listen(app), JSON.stringify(aReportMessage()))

  expect(response.status).toBe(500)
  expect(errors).toMatchObject([
    { code: 'body_already_read', message: expect.stringContaining('mount the receiver before express.json()') },
  ])
})

test('Express: a receiver mounted after express.raw() accepts signed reports', async () => {
  const app = express().use(express.raw({ type: '*/*' }))

  expect(await signedReportTo(app)).toBe(204)
})

test('Express: a receiver mounted after an express.json() that keeps the bytes accepts signed reports', async () => {
  const verify = (request: object, _response: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes })
  const app = express().use(express.json({ verify }))

  expect(await signedReportTo(app)).toBe(204)
})

test('node:http: a body that other code has read is answered with the problem "body_already_read"', async () => {
  const receiver = toNodeListener(createReceiver({ onReport: () => {} }))
  const address = await listen((request, response) => {
    request.resume().on('end', () => receiver(request, response))
  })

  const response = await post(address, JSON.stringify(aReportMessage()))
  const problem: Problem = await response.json()

  expect(response.status).toBe(500)
  expect(problem.code).toBe('body_already_read')
})

async function signedReportTo(app: express.Express): Promise<number> {
  const key = await aSigningKey()
  const clock = fakeClock()
  app.use(
    '/relay',
    relayReceiver({ onReport: () => {}, verify: verifySignatures({ jwks: { keys: [key.jwk] }, clock }) }),
  )
  const body = JSON.stringify(aReportMessage(), null, 2)
  return (await post(await listen(app), body, await key.sign(body))).status
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/relay`
}

function post(address: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
}

function firstData(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString('latin1')))
    socket.once('error', reject)
  })
}
