/** HTTP that the adapters must survive: large, slow and broken requests, and other methods. */
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import { expect, test, vi } from 'vitest'
import { relayReceiver as expressReceiver } from '../../src/adapters/express.ts'
import { relayReceiver as nodeReceiver } from '../../src/adapters/node.ts'
import type { ReceiverOptions } from '../../src/index.ts'
import { aReportMessage } from '../builders.ts'
import { aServer } from './a-server.ts'

const adapters: Record<string, (options: ReceiverOptions) => RequestListener> = {
  'node:http': (options) => nodeReceiver(options),
  Express: (options) => express().use('/relay', expressReceiver(options)),
}

for (const [name, listener] of Object.entries(adapters)) {
  test(`${name}: a body over the limit is answered with 413, and the connection serves the next request`, async () => {
    const address = await listen(listener({ onReport: () => {}, maxBodyBytes: 1024, acceptUnsigned: true }))

    const response = await post(address, ' '.repeat(3 * 1024 * 1024))

    expect(response.status).toBe(413)
    expect((await post(address, JSON.stringify(aReportMessage()))).status).toBe(204)
  })

  test(`${name}: a chunked body over the limit is answered with 413 before it ends`, async () => {
    const address = await listen(listener({ onReport: () => {}, maxBodyBytes: 1024, acceptUnsigned: true }))
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
    const address = await listen(listener({ onReport, acceptUnsigned: true }))
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
    const response = await fetch(await listen(listener({ onReport: () => {}, acceptUnsigned: true })))

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test(`${name}: a TRACE is answered with 405`, async () => {
    const address = await listen(listener({ onReport: () => {}, acceptUnsigned: true }))
    const socket = connect(Number(new URL(address).port), '127.0.0.1')

    socket.write('TRACE /relay HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n')

    expect(await firstData(socket)).toMatch(/^HTTP\/1\.1 405 /)
    socket.destroy()
  })
}

async function listen(listener: RequestListener): Promise<string> {
  return `${await aServer(listener)}/relay`
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
