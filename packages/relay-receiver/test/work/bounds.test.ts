/** The work that a receiver takes on at the same time, and what it reports about it. */
import { expect, test, vi } from 'vitest'
import { type Answered, relayReceiver } from '../../src/index.ts'
import { anId, aReceiver, aRequest, aValidationRequest, deferred, fakeClock } from '../builders.ts'

const message = (hash: string) => aRequest({ headers: { 'webhook-id': anId('roof1', hash) } })

test('beyond "maxConcurrent" reports are answered with 503 and Retry-After, and accepted when a slot is free', async () => {
  const { promise, resolve } = deferred()
  const onReport = vi.fn(() => promise)
  const receive = aReceiver({ onReport, maxConcurrent: 2, onError: () => {} })
  const first = [receive(message('1')), receive(message('2'))]
  await vi.waitFor(() => expect(onReport).toHaveBeenCalledTimes(2))

  const third = await receive(message('3'))
  expect(third.status).toBe(503)
  expect(third.headers.get('retry-after')).toBe('1')
  expect((await receive(aValidationRequest())).status).toBe(200)
  resolve()

  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([204, 204])
  expect((await receive(message('3'))).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(3)
})

test('a repetition that waits for the first attempt takes no slot', async () => {
  const { promise, resolve } = deferred()
  const onReport = vi.fn(() => promise)
  const receive = aReceiver({ onReport, maxConcurrent: 1 })
  const attempts = [receive(message('1')), receive(message('1')), receive(message('1'))]
  await vi.waitFor(() => expect(onReport).toHaveBeenCalled())
  resolve()

  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([204, 204, 204])
})

test('bodies that are over "maxBufferedBytes" together are answered with 503, and their memory is free afterwards', async () => {
  const receive = aReceiver({ maxBodyBytes: 1_024, maxBufferedBytes: 2_048, onError: () => {} })
  const feeds: ReadableStreamDefaultController[] = []
  const slow = Array.from({ length: 2 }, (_, n) => {
    const body = new ReadableStream({ start: (controller) => void feeds.push(controller) })
    return receive(aRequest({ body, headers: { 'webhook-id': anId('roof1', String(n)) } }))
  })
  for (const feed of feeds) feed.enqueue(new Uint8Array(1_000).fill(0x20))
  await vi.waitFor(async () => expect((await receive(message('3'))).status).toBe(503))

  for (const feed of feeds) feed.close()

  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([400, 400])
  expect((await receive(message('3'))).status).toBe(204)
})

test('a call of onReport that hangs is given up after "onReportTimeoutMs", and the next attempt calls it again', async () => {
  const clock = fakeClock()
  const signals: AbortSignal[] = []
  const onError = vi.fn()
  const onReport = vi.fn((_report, { signal }) => {
    signals.push(signal)
    return signals.length === 1 ? new Promise<void>(() => {}) : Promise.resolve()
  })
  const receive = aReceiver({ onReport, onError, clock, maxConcurrent: 1 })
  const first = receive(message('1'))
  await vi.waitFor(() => expect(onReport).toHaveBeenCalled())
  await clock.advance(9_000)
  expect((await first).status).toBe(503)
  expect(signals[0]?.aborted).toBe(false)

  await clock.advance(51_000)

  await vi.waitFor(() => expect(onError.mock.lastCall?.[0].message).toBe('onReport did not settle within 60000 ms'))
  expect(signals[0]?.aborted).toBe(true)
  expect((await receive(message('1'))).status).toBe(204)
  expect(signals[1]?.aborted).toBe(false)
})

test('onAnswer gets each answer with its reason, message, device and duration', async () => {
  const clock = fakeClock()
  const answers: Answered[] = []
  const receive = aReceiver({
    clock,
    onAnswer: (answer) => void answers.push(answer),
    onReport: () => clock.advance(40),
  })

  await receive(message('1'))
  await receive(message('1'))
  await receive(aValidationRequest())
  await receive(aRequest({ method: 'GET' }))
  await receive(aRequest({ body: '{}' }))

  const base = { code: undefined, name: undefined, repeated: false, id: 'msg_1', device: undefined, tookMs: 0 }
  const named = { id: anId('roof1', '1'), device: 'urn:aa:device:acme:roof1' }
  expect(answers).toEqual([
    { ...base, ...named, status: 204, name: 'position_report', tookMs: 40 },
    { ...base, ...named, status: 204, name: 'position_report', repeated: true },
    { ...base, status: 200, name: 'validate' },
    { ...base, status: 405, code: 'method_not_allowed' },
    { ...base, status: 400, code: 'invalid_body' },
  ])
})

test('when onAnswer throws, the answer stays the same and onError gets the cause', async () => {
  const cause = new Error('no')
  const onError = vi.fn()
  const onAnswer = () => {
    throw cause
  }
  const { fetch } = relayReceiver({ onReport: () => {}, acceptUnsigned: true, onAnswer, onError })

  expect((await fetch(aRequest())).status).toBe(204)
  expect(onError.mock.calls).toEqual([[cause]])
})
