import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { httpSource } from '../../../src/sources/push/http-source.ts'
import { udpSource } from '../../../src/sources/push/udp-source.ts'
import { aPosition } from '../../support/an-agent.ts'
import { runASource } from '../../support/run-a-source.ts'

const json = { 'content-type': 'application/json' }

test.each([
  ['one position', JSON.stringify(aPosition(1)), 1],
  ['an array', JSON.stringify([aPosition(1), aPosition(2)]), 2],
  ['a report', JSON.stringify({ sensor: { id: 'roof1' }, positions: [aPosition(1), aPosition(2)] }), 2],
  ['lines', `${JSON.stringify(aPosition(1))}\n${JSON.stringify(aPosition(2))}\n`, 2],
])('%s posted to /positions is answered 202 after it is stored', async (_, body, count) => {
  const { source, post } = await aHttpSource()

  expect((await post(body)).status).toBe(202)
  expect(source.positions).toHaveLength(count)
})

test.each([
  ['a position without an id', '{"position":{"lat":1,"lon":2}}', json, 400, /positions\[0\]\.id/],
  ['no JSON', 'hello', json, 400, /not JSON/],
  ['an empty list', '[]', json, 400, /no position/],
  ['a body above 1 MiB', 'x'.repeat(1_048_577), json, 413, /1 MiB/],
  ['a form of a web page', 'id=1', { 'content-type': 'text/plain' }, 415, /application\/json/],
])('%s is refused with the reason', async (_, body, headers, status, detail) => {
  const { source, post } = await aHttpSource()

  const response = await post(body, headers)

  expect(response.status).toBe(status)
  expect(await response.text()).toMatch(detail)
  expect(source.positions).toEqual([])
})

test('only POST /positions exists', async () => {
  const { address } = await aHttpSource()

  expect((await fetch(address)).status).toBe(405)
  expect((await fetch(new URL('/other', address), { method: 'POST' })).status).toBe(404)
})

test('a request for another host name is refused, as a web page with a name of this machine makes it', async () => {
  const { source, address } = await aHttpSource()
  const asked = request(address, { method: 'POST', headers: { ...json, host: 'attacker.example' } })

  asked.end(JSON.stringify(aPosition(1)))
  const [response] = await once(asked, 'response')

  expect(response.statusCode).toBe(421)
  expect(source.positions).toEqual([])
})

test('with a token, a request without it is refused', async () => {
  const { post } = await aHttpSource('s3cret')
  const body = JSON.stringify(aPosition(1))

  expect((await post(body)).status).toBe(401)
  expect((await post(body, { ...json, authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await post(body, { ...json, authorization: 'Bearer s3cret' })).status).toBe(202)
})

test('an address that others reach needs a token', () => {
  expect(() => httpSource({ host: '0.0.0.0', port: 0 })).toThrow(/"token" is required/)
})

test('a connection that sends nothing does not hold up the stop', async () => {
  const { source, address } = await aHttpSource()
  const idle = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void idle.destroy())
  await once(idle, 'connect')
  // The server has the connection before this request.
  await fetch(address)

  await source.stop()
})

test('datagrams are stored in their order, and wrong ones are counted', async () => {
  const source = runASource(udpSource({ port: 0 }))
  await source.until(() => source.states.length > 0)
  const port = Number(source.states[0]?.split(':').at(-1))
  const socket = createSocket('udp4')
  const send = (text: string) => new Promise<void>((resolve) => socket.send(text, port, '127.0.0.1', () => resolve()))

  await send(JSON.stringify(aPosition(1)))
  await send('{"id":')
  await send(JSON.stringify({ id: '2' }))
  await send(JSON.stringify([aPosition(3), aPosition(4)]))
  await source.until(() => source.positions.length === 3)
  socket.close()
  await source.stop()

  expect(source.positions.map(({ id }) => id)).toEqual(['1', '3', '4'])
  expect(source.unusable).toEqual(['datagram: it is not JSON', expect.stringMatching(/^datagram: positions\[0\]/)])
})

test('a port that is in use ends the source with the reason', async () => {
  const first = runASource(udpSource({ port: 0 }))
  await first.until(() => first.states.length > 0)
  const port = Number(first.states[0]?.split(':').at(-1))

  await expect(runASource(udpSource({ port })).ended).rejects.toThrow(/EADDRINUSE/)
})

async function aHttpSource(token?: string) {
  const source = runASource(httpSource({ port: 0, ...(token !== undefined && { token }) }))
  await source.until(() => source.states.length > 0)
  const address = source.states[0]?.replace('listening on ', '') ?? ''
  const post = (body: string, headers: Record<string, string> = json) =>
    fetch(address, { method: 'POST', headers, body })
  return { source, address, post }
}
