import { once } from 'node:events'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAnswerMemory, holdAnswer } from '../../src/http/answer-memory.ts'
import { writeAnswer } from '../../src/http/operation/answer.ts'
import type { Sharer } from '../../src/http/shares.ts'

const mebibyte = 1024 * 1024

async function aServer(answer: RequestListener) {
  const server = http.createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const responses: IncomingMessage[] = []
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
    // A response that was not read does not learn that its connection has ended.
    for (const response of responses) response.destroy()
  })
  const { port } = server.address() as AddressInfo
  /** Resolves with the head of the answer, whose body is not read. */
  return async (): Promise<IncomingMessage> => {
    const request = http.request({ port, host: '127.0.0.1', agent: false }).end()
    const [response] = await once(request, 'response')
    responses.push(response)
    return response
  }
}

/** More than a connection buffers. */
const text = 'x'.repeat(12 * mebibyte)

test('while an address has not taken its large answers, further ones are 503 with Retry-After; small ones are sent', async () => {
  const memory = createAnswerMemory(64 * mebibyte)
  let body = text
  const ask = await aServer((_request, response) => {
    writeAnswer(response, { status: 200, headers: {}, media: 'text/plain', text: body }, [], memory)
  })
  const first = await ask()
  const second = await ask()
  expect([first.statusCode, second.statusCode, second.headers['retry-after']]).toEqual([200, 503, '5'])

  body = 'x'.repeat(64 * 1024)
  expect((await ask()).statusCode).toBe(200)

  body = text
  expect((await first.toArray()).reduce((sum, chunk) => sum + chunk.length, 0)).toBe(text.length)
  const third = await ask()
  expect(third.statusCode).toBe(200)
  third.destroy()
  await expect.poll(async () => (await ask()).statusCode).toBe(200)
})

test('a file that all answers share is never refused', async () => {
  const memory = createAnswerMemory(0)
  const file = Buffer.alloc(12 * mebibyte)
  const ask = await aServer((_request, response) => {
    writeAnswer(response, { status: 200, headers: {}, media: 'text/plain', text: '', file }, [], memory)
  })
  for (let n = 0; n < 5; n++) expect((await ask()).statusCode).toBe(200)
})

/** How many answers of a megabyte these can hold at once, of a memory of 40. */
function countHeld(takerOf: (n: number) => Sharer): number {
  const memory = createAnswerMemory(40 * mebibyte)
  let held = 0
  for (let n = 0; n < 100; n++) if (holdAnswer(memory, takerOf(n), mebibyte)) held++
  return held
}

test('an address has a quarter of the memory, an IPv6 customer half, all addresses together the whole', () => {
  expect(countHeld(() => ({ address: '192.0.2.1' }))).toBe(10)
  expect(countHeld((n) => ({ address: `2001:db8:1:1::${n}` }))).toBe(10)
  expect(countHeld((n) => ({ address: `2001:db8:1:${n}::1` }))).toBe(20)
  expect(countHeld((n) => ({ address: `192.0.2.${n}` }))).toBe(40)
})

test('an account has a quarter, from whatever addresses, and one answer when others have all', () => {
  expect(countHeld((n) => ({ address: `192.0.2.${n}`, account: 'account a' }))).toBe(11)
  // Each of the 60 that find no room has one.
  expect(countHeld((n) => ({ address: `192.0.2.${n}`, account: `account ${n}` }))).toBe(100)
})

test('memory that is given back can be used again', () => {
  const memory = createAnswerMemory(4 * mebibyte)
  const taker = { address: '192.0.2.1', account: 'account a' }
  for (let n = 0; n < 3; n++) {
    const held = [holdAnswer(memory, taker, mebibyte), holdAnswer(memory, taker, mebibyte)]
    expect(holdAnswer(memory, taker, mebibyte)).toBeUndefined()
    for (const release of held) release?.()
  }
})
