import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryRoom } from '../../src/ports/memory-room.ts'
import { aReport } from '../a-report.ts'
import { aServer } from '../a-server.ts'

test('reports get 503 with Retry-After while the backlog is too long, and are accepted again afterwards', async () => {
  const held = Promise.withResolvers<void>()
  const slow = { name: 'slow', run: () => held.promise }
  const server = await aServer({ flags: { 'ingest-backlog': '20' }, stages: [slow] })
  onTestFinished(() => server.stop())
  const token = await server.deviceToken()
  const submit = async () => {
    await server.clock.advance(250)
    const { status, headers } = await server.post('/v1/position-reports', token, aReport())
    return [status, headers.get('retry-after')]
  }

  const first: unknown[] = []
  // One report beyond the backlog may be accepted while the depth of the log is read.
  for (let report = 0; report < 40; report++) first.push(await submit())
  held.resolve()
  await server.processed()

  expect(first.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => [202, null]))
  expect(first.slice(22)).toEqual(Array.from({ length: 18 }, () => [503, '5']))
  await vi.waitFor(async () => expect(await submit()).toEqual([202, null]))
})

test('slow uploads of one account or one address take a quarter of the memory for bodies; others are accepted', async () => {
  const server = await aServer({ flags: { 'insecure-http': true, 'trust-proxy': 'loopback' } })
  onTestFinished(() => server.stop())
  const { hostname, port } = new URL(server.origin)
  const body = JSON.stringify(aReport()).padEnd(1024 * 1024)

  /** Sends all of a report of 1 MiB but its last byte. */
  async function slowUpload(token: string, address: string): Promise<Socket> {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const headers = `Authorization: Bearer ${token}\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json`
    const head = `POST /v1/position-reports HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nContent-Length: ${body.length}`
    await new Promise((sent) => socket.write(`${head}\r\n\r\n${body.slice(1)}`, sent))
    return socket
  }

  async function submit(token: string, address: string, text: string) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-forwarded-for': address }
    const response = await server.fetch('/v1/position-reports', { method: 'POST', headers, body: text })
    return [response.status, response.headers.get('retry-after')]
  }

  const [slow, other] = [await server.deviceToken('fleet'), await server.deviceToken('rival')]
  // The first 64 KiB of a body are not counted.
  const uploads = Math.ceil(memoryRoom(256 * 1024 * 1024) / 4 / (body.length - 2 * 64 * 1024))
  const sockets: Socket[] = []
  for (let upload = 0; upload < uploads; upload++) sockets.push(await slowUpload(slow, '192.0.2.7'))

  await vi.waitFor(async () => expect(await submit(slow, '192.0.2.8', body)).toEqual([503, '1']), 5_000)
  expect(await submit(other, '192.0.2.7', body)).toEqual([503, '1'])
  expect(await submit(other, '192.0.2.8', body)).toEqual([202, null])
  expect(await submit(slow, '192.0.2.7', body.trimEnd())).toEqual([202, null])

  // What a closed connection and a complete body used is free again.
  for (const socket of sockets.slice(0, 3)) socket.destroy()
  await vi.waitFor(async () => expect(await submit(slow, '192.0.2.7', body)).toEqual([202, null]), 5_000)
  for (let report = 0; report < 5; report++) expect(await submit(slow, '192.0.2.7', body)).toEqual([202, null])
})
