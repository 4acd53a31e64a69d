import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import net from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createListener, listen, openFor } from '../../../src/composition/listening/listener.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** A server with this listener, and a client that has sent the head of a request. */
async function aClientOf(serve: Serve, head: string) {
  const { server } = createListener({ maxConnections: 10, clock: createManualClock() })
  openFor(server, serve)
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const client = net.connect(port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => {
    client.destroy()
    server.close()
    server.closeAllConnections()
  })
  client.on('error', () => {})
  let received = ''
  client.on('data', (text) => {
    received += text
  })
  await once(client, 'connect')
  client.write(head)
  return { client, received: () => received }
}

const chunked = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
const bytes = '0123456789'.repeat(400)
const inChunksOfOneByte = `${[...bytes].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`

/** Answers with the body, and how often something of it was handed over. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.once('end', () => response.end(`${Buffer.concat(pieces)} in ${pieces.length} pieces`))
}

test('a body in chunks of one byte is read in few pieces', async () => {
  const { client, received } = await aClientOf(echo, chunked)
  client.write(inChunksOfOneByte)

  await expect.poll(received).toContain(`${bytes} in `)
  expect(Number(/in (\d+) pieces/.exec(received())?.[1])).toBeLessThan(20)
})

test('a body in chunks of one byte is kept in few pieces while its request waits, through Express as well', async () => {
  const waiting = Promise.withResolvers<ServerResponse>()
  const app = express()
  app.get('/', (_request, response) => waiting.resolve(response))
  app.post('/', echo)
  const { client, received } = await aClientOf(app, `GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${chunked}`)
  client.write(inChunksOfOneByte)
  const response = await waiting.promise
  await expect.poll(() => client.writableLength).toBe(0)
  response.end()

  await expect.poll(received).toContain(`${bytes} in `)
  expect(Number(/in (\d+) pieces/.exec(received())?.[1])).toBeLessThan(20)
})

test('a body that arrives in parts is complete, whenever it is read', async () => {
  const requests: { request: IncomingMessage; response: ServerResponse }[] = []
  const { client, received } = await aClientOf(
    (request, response) => void requests.push({ request, response }),
    chunked,
  )
  const large = 'x'.repeat(50_000)
  client.write('1\r\na\r\n')
  await expect.poll(() => requests.length).toBe(1)
  client.write(`2\r\nbc\r\n${large.length.toString(16)}\r\n${large}\r\n`)
  const [first] = requests
  if (!first) return expect.fail('no request')
  echo(first.request, first.response)
  client.write('1\r\nd\r\n')
  client.write('0\r\n\r\n')

  await expect.poll(received).toContain(`abc${large}d in `)
})

test('a body in more than 4,096 pieces, and one for each 64 bytes, closes its connection', async () => {
  const { client, received } = await aClientOf(echo, chunked)
  client.write('1\r\na\r\n'.repeat(4_200))

  await once(client, 'close')
  // Not by the time-out of requests, which is answered.
  expect(received()).toBe('')
})
