/** Signals end requests also after a garbage collection. Real servers that keep their requests open. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keepSignal } from '@posrep/kernel/keep-signal'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const answerNothing: RequestListener = () => {}
const answerWithoutEnd: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begins\n\n')
}

test('an abort ends a raw call that waits for its response', async () => {
  const { raw, arrived } = await aService(answerNothing)
  const stop = new AbortController()

  const call = raw.GET('/v1/devices', { signal: stop.signal }).then(undefined, () => 'aborted')
  await arrived
  await collect()
  stop.abort()

  expect(await call).toBe('aborted')
})

test('an abort ends the reading of a stream', async () => {
  const { raw } = await aService(answerWithoutEnd)
  const stop = new AbortController()

  const { data } = await raw.GET('/v1/air/stream', { parseAs: 'stream', signal: stop.signal })
  const reader = data?.getReader()
  await reader?.read()
  const rest = reader?.read().catch(() => 'aborted')
  await collect()
  stop.abort()

  expect(await rest).toBe('aborted')
})

test('an abort ends a request that a middleware has created', async () => {
  const { raw, arrived } = await aService(answerNothing)
  raw.use({
    onRequest: ({ request }) => new Request(request.url, { signal: request.signal, headers: { 'x-own': '1' } }),
  })
  const stop = new AbortController()

  const call = raw.GET('/v1/devices', { signal: stop.signal }).then(undefined, () => 'aborted')
  await arrived
  await collect()
  stop.abort()

  expect(await call).toBe('aborted')
})

test('a time-out ends the reading of a body', async () => {
  const { origin } = await aService(answerWithoutEnd)
  const stop = new AbortController()

  const response = await fetch(keepSignal(new Request(origin, { signal: stop.signal })))
  const text = response.text().catch(() => 'aborted')
  await collect()
  stop.abort()

  expect(await text).toBe('aborted')
})

async function aService(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { raw } = createClient({ origin, getToken: () => 'access-1' })
  return { raw, origin, arrived: once(server, 'request') }
}

/** References that nobody uses any more are gone after a few turns of the event loop. */
async function collect(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
}
