import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type TextPortions, writeAnswer } from '../../../src/http/operation/answer.ts'
import { JsonList } from '../../../src/http/operation/json-list.ts'

/** A server that answers with portions. Resolves with the response, whose body is not read. */
async function aResponseOf(portions: TextPortions, method = 'GET') {
  const failures: unknown[] = []
  const server = http.createServer((_request, response) => {
    writeAnswer(response, { status: 200, headers: {}, media: 'application/json', text: '', portions })?.catch(
      (error) => {
        failures.push(error)
        response.destroy()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const request = http.request({ port, method, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { response, failures }
}

function aList(pages: AsyncGenerator<string[], { truncated: boolean } | undefined, undefined>) {
  return JsonList.start<{ data: unknown[]; truncated: boolean }>(pages)
}

/** Pages of 256 KiB. `made` counts them. */
function manyPages() {
  const counts = { made: 0, ended: 0 }
  async function* pages() {
    try {
      for (; counts.made < 400; counts.made++) yield [JSON.stringify('x'.repeat(256 * 1024))]
      return { truncated: false }
    } finally {
      counts.ended++
    }
  }
  return { counts, pages: pages() }
}

test('portions are one JSON text: the items, then the other members', async () => {
  async function* pages() {
    yield ['1', '2']
    yield []
    yield ['{"n":3}']
    return { truncated: true }
  }
  async function* nothing() {
    yield []
    return undefined
  }
  for (const [list, body] of [
    [await aList(pages()), { data: [1, 2, { n: 3 }], truncated: true }],
    [await aList(nothing()), { data: [] }],
  ] as const) {
    const { response } = await aResponseOf(list)
    const text = (await response.setEncoding('utf8').toArray()).join('')
    expect(JSON.parse(text)).toEqual(body)
  }
})

test('no more portions are made than the client takes, and none after the client has left', async () => {
  const { counts, pages } = manyPages()
  const { response } = await aResponseOf(await aList(pages))
  response.pause()
  let before = -1
  // What the connection buffers is limited: after that, nothing is made.
  await expect.poll(() => before === (before = counts.made), { interval: 100 }).toBe(true)
  expect(counts.made).toBeLessThan(200)

  response.destroy()
  await expect.poll(() => counts.ended).toBe(1)
  expect(counts.made).toBeLessThan(200)
})

test('an answer to HEAD makes no portions, and ends what would make them', async () => {
  const { counts, pages } = manyPages()
  const { response } = await aResponseOf(await aList(pages), 'HEAD')
  expect(await response.toArray()).toEqual([])
  expect(counts).toEqual({ made: 0, ended: 1 })
})

test('when a portion fails, the client sees that the answer is not whole', async () => {
  async function* pages(): AsyncGenerator<string[], undefined, undefined> {
    yield ['1']
    // The first portion is sent in this iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('The store is away')
  }
  const { response, failures } = await aResponseOf(await aList(pages()))
  await expect(response.toArray()).rejects.toThrow('aborted')
  expect(failures).toMatchObject([{ message: 'The store is away' }])
})

test('an error before the first portion is an error of the list', async () => {
  async function* pages(): AsyncGenerator<string[], undefined, undefined> {
    await Promise.reject(new Error('The store is away'))
    yield []
  }
  await expect(aList(pages())).rejects.toThrow('The store is away')
})
