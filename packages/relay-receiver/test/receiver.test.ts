import type { PositionReport, Problem } from '@posrep/spec'
import { expect, test, vi } from 'vitest'
import { type Delivery, memoryStore } from '../src/index.ts'
import {
  anId,
  aPosition,
  aReceiver,
  aReport,
  aReportMessage,
  aRequest,
  aValidationRequest,
  deferred,
  fakeClock,
  validationCode,
} from './builders.ts'

test('a validation message is answered with its code as text', async () => {
  const onReport = vi.fn()
  const receive = aReceiver({ onReport })

  const response = await receive(aValidationRequest())

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe(validationCode)
  expect(onReport).not.toHaveBeenCalled()
})

test('onReport gets the report and its delivery, and the answer is 204', async () => {
  const received: { report: PositionReport; delivery: Delivery }[] = []
  const receive = aReceiver({ onReport: (report, delivery) => void received.push({ report, delivery }) })

  const response = await receive(
    aRequest({ headers: { 'webhook-id': anId('roof1', 'msg_7'), 'webhook-timestamp': '1767787231' } }),
  )

  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(received).toHaveLength(1)
  expect(received[0]?.report).toEqual(aReport())
  expect(received[0]?.delivery).toMatchObject({
    id: 'urn:aa:device:acme:roof1/msg_7',
    device: 'urn:aa:device:acme:roof1',
    attemptedAtMs: 1767787231000,
    verified: false,
    outOfOrder: false,
  })
  expect(received[0]?.delivery.headers.get('content-type')).toBe('application/json')
})

test.each(['msg_1', 'undefined', '%ff/hash', 'urn:aa:device:acme:a.b/hash'])(
  'an ID such as %s names no device',
  async (id) => {
    const devices: unknown[] = []
    const receive = aReceiver({ onReport: (_report, { device }) => void devices.push(device) })

    expect((await receive(aRequest({ headers: { 'webhook-id': id } }))).status).toBe(204)

    expect(devices).toEqual([undefined])
  },
)

test('members that the document does not name are kept at every level', async () => {
  const report = {
    batch: { of: 3 },
    sensor: { id: 'roof1', firmware: '2.4' },
    positions: [{ ...aPosition(), squawk: '7000', position: { lat: 1, lon: 2, geohash: 'u6' } }],
  }
  const onReport = vi.fn()

  await aReceiver({ onReport })(aRequest({ body: JSON.stringify(aReportMessage(report)) }))

  expect(onReport.mock.lastCall?.[0]).toEqual(report)
})

test('a member named __proto__ is kept as data and sets no prototype', async () => {
  const body = JSON.stringify(aReportMessage()).replace('"sensor":{', '"sensor":{"__proto__":{"polluted":true},')
  const onReport = vi.fn()

  const response = await aReceiver({ onReport })(aRequest({ body }))

  expect(response.status).toBe(204)
  expect(Object.hasOwn(onReport.mock.lastCall?.[0].sensor, '__proto__')).toBe(true)
  expect({}).not.toHaveProperty('polluted')
})

test('a report without the Standard Webhooks headers is accepted, and its delivery has no ID, no device and no time', async () => {
  const onReport = vi.fn()
  const request = aRequest()
  request.headers.delete('webhook-id')

  expect((await aReceiver({ onReport })(request)).status).toBe(204)
  expect(onReport.mock.lastCall?.[1]).toMatchObject({ id: undefined, device: undefined, attemptedAtMs: undefined })
})

test('when onReport throws, the answer is 503 without the cause, and onError gets the cause', async () => {
  const onError = vi.fn()
  const cause = new Error('database at 10.0.0.7 is down')
  const receive = aReceiver({ onReport: () => Promise.reject(cause), onError })

  const response = await receive(aRequest())

  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.text()).not.toContain('10.0.0.7')
  expect(onError.mock.calls).toEqual([[cause]])
})

test('when onError throws, the answer stays the same', async () => {
  const fail = () => {
    throw new Error('no')
  }
  expect((await aReceiver({ onReport: fail, onError: fail })(aRequest())).status).toBe(503)
})

test.each([undefined, null, 'no', new Error('no')])(
  'when the function that answers validations rejects with %s, the answer is 500 and onError gets it',
  async (cause) => {
    const onError = vi.fn()
    const receive = aReceiver({ validationAnswer: () => Promise.reject(cause), onError })

    expect((await receive(aValidationRequest())).status).toBe(500)

    expect(onError.mock.calls).toEqual([[cause]])
  },
)

test('whatever it is given, the receiver answers and does not reject', async () => {
  const onError = vi.fn()
  const receive = aReceiver({ onError, validationAnswer: () => undefined as never })
  const text = new ReadableStream({
    start(controller) {
      controller.enqueue(JSON.stringify(aReportMessage()))
      controller.close()
    },
  })
  const headers = new Headers({ 'content-type': 'application/json' })

  expect((await receive(undefined as never)).status).toBe(500)
  expect((await receive({} as never)).status).toBe(500)
  expect((await receive({ method: 'POST', headers, body: text } as never)).status).toBe(204)
  expect((await receive({ method: 'POST', headers, body: 'text' } as never)).status).toBe(500)
  const numbers = new ReadableStream({ start: (controller) => controller.enqueue(7) })
  expect((await receive({ method: 'POST', headers, body: numbers } as never)).status).toBe(500)
  expect((await receive(aValidationRequest())).status).toBe(500)
  for (const [error] of onError.mock.calls) expect(error).not.toBeInstanceOf(RangeError)
})

test('a report that is accepted after the deadline is answered with 503, and its repetition with 204 at once', async () => {
  const clock = fakeClock()
  const { promise, resolve } = deferred()
  const onReport = vi.fn(() => promise)
  const receive = aReceiver({ onReport, onError: () => {}, clock, deadlineMs: 9_000 })
  const answer = receive(aRequest())
  await vi.waitFor(() => expect(onReport).toHaveBeenCalled())

  await clock.advance(9_000)
  expect((await answer).status).toBe(503)
  resolve()

  expect((await receive(aRequest())).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(1)
})

test('a body that does not end is cancelled at the deadline, even when it already contains a complete message', async () => {
  const clock = fakeClock()
  const cancelled = vi.fn()
  const onReport = vi.fn()
  const receive = aReceiver({ onReport, onError: () => {}, clock })
  const message = new TextEncoder().encode(JSON.stringify(aReportMessage()))
  const body = new ReadableStream({ start: (controller) => controller.enqueue(message), cancel: cancelled })
  const answer = receive(aRequest({ body }))

  await clock.advance(9_000)

  expect((await answer).status).toBe(503)
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalled())
  await receive(aRequest({ method: 'GET' }))
  expect(onReport).not.toHaveBeenCalled()
})

test('a body that is cut off is answered with 408, so that the service sends it again', async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })

  expect((await aReceiver({ onReport: () => {} })(aRequest({ body }))).status).toBe(408)
})

test('a body over the limit is answered with 413 before the rest of it is read', async () => {
  let pulled = 0
  const cancelled = vi.fn()
  const body = new ReadableStream({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(1024).fill(0x20))
    },
    cancel: cancelled,
  })

  const response = await aReceiver({ onReport: () => {}, maxBodyBytes: 4096 })(aRequest({ body }))

  expect(response.status).toBe(413)
  expect(cancelled).toHaveBeenCalled()
  expect(pulled).toBeLessThan(10)
})

test('a content-length that is not that of the body does not count', async () => {
  const body = JSON.stringify(aReportMessage())
  const receive = aReceiver({ onReport: () => {}, maxBodyBytes: 4096 })

  expect((await receive(aRequest({ body, headers: { 'content-length': '4097' } }))).status).toBe(204)
})

test('a body exactly at the limit is accepted', async () => {
  const body = JSON.stringify(aReportMessage()).padEnd(4096)

  expect((await aReceiver({ onReport: () => {}, maxBodyBytes: 4096 })(aRequest({ body }))).status).toBe(204)
})

test('a repetition that arrives after the deadline of the first attempt waits for the first attempt to end', async () => {
  const clock = fakeClock()
  const { promise, resolve } = deferred()
  const onReport = vi.fn(() => promise)
  const receive = aReceiver({ onReport, onError: () => {}, clock })
  const first = receive(aRequest())
  await vi.waitFor(() => expect(onReport).toHaveBeenCalled())
  await clock.advance(9_000)
  await first

  const second = receive(aRequest())
  resolve()

  expect((await second).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(1)
})

test('onReport gets ten thousand repetitions of a message once, and each is answered with 204', async () => {
  const onReport = vi.fn(async () => {})
  const receive = aReceiver({ onReport })

  const concurrent = await Promise.all(Array.from({ length: 5_000 }, () => receive(aRequest())))
  const after = await Promise.all(Array.from({ length: 5_000 }, () => receive(aRequest())))

  expect(new Set([...concurrent, ...after].map(({ status }) => status))).toEqual(new Set([204]))
  expect(onReport).toHaveBeenCalledTimes(1)
})

test('repetitions that wait for a failing first attempt fail with it, and onReport gets the next one', async () => {
  const { promise, reject } = deferred()
  const onError = vi.fn()
  const onReport = vi.fn<() => Promise<void>>().mockReturnValueOnce(promise).mockResolvedValue()
  const receive = aReceiver({ onReport, onError })
  const both = Promise.all([receive(aRequest()), receive(aRequest())])
  await vi.waitFor(() => expect(onReport).toHaveBeenCalled())

  reject(new Error('disk full'))

  expect((await both).map(({ status }) => status)).toEqual([503, 503])
  expect(onError).toHaveBeenCalledTimes(1)
  expect((await receive(aRequest())).status).toBe(204)
  expect(onReport).toHaveBeenCalledTimes(2)
})

test('only the IDs that the store has are recognised', async () => {
  const onReport = vi.fn()
  const receive = aReceiver({ onReport, store: memoryStore({ capacity: 2 }) })

  for (const id of ['a', 'b', 'c', 'c', 'b', 'a']) await receive(aRequest({ headers: { 'webhook-id': id } }))

  expect(onReport.mock.calls.map(([, { id }]) => id)).toEqual(['a', 'b', 'c', 'a'])
})

test('an ID of over 2,048 characters is not remembered', async () => {
  const onReport = vi.fn()
  const receive = aReceiver({ onReport })

  await receive(aRequest({ headers: { 'webhook-id': 'x'.repeat(2_049) } }))

  expect(onReport.mock.lastCall?.[1].id).toBeUndefined()
})

test('a report older than one already accepted of its device is flagged as out of order', async () => {
  const flags: boolean[] = []
  const receive = aReceiver({ onReport: (_, { outOfOrder }) => void flags.push(outOfOrder) })
  const send = (id: string, sensor: string, ...times: string[]) => {
    const positions = times.map((sourceTimeStamp) => aPosition({ sourceTimeStamp }))
    // Two accounts can have sensors with the same local ID.
    const body = JSON.stringify(aReportMessage({ sensor: { id: 'same' }, positions }))
    return receive(aRequest({ body, headers: { 'webhook-id': anId(sensor, id) } }))
  }

  await send('1', 'roof1', '2026-01-07T12:00:30', '2026-01-07T12:00:40Z')
  await send('2', 'roof1', '2026-01-07T14:00:35+02:00')
  await send('3', 'mast2', '2026-01-07T12:00:00Z')
  await send('4', 'roof1', '2026-01-07T12:00:41Z')
  await send('5', 'roof1', '2016-12-31T23:59:60Z')

  expect(flags).toEqual([false, true, false, false, true])
})

test('a report with a time that cannot be right is in order, and so are those after it', async () => {
  const clock = fakeClock()
  const flags: boolean[] = []
  const receive = aReceiver({ clock, onReport: (_, { outOfOrder }) => void flags.push(outOfOrder) })
  const send = (id: string, ...times: string[]) => {
    const positions = times.map((sourceTimeStamp) => aPosition({ sourceTimeStamp }))
    return receive(
      aRequest({ body: JSON.stringify(aReportMessage({ positions })), headers: { 'webhook-id': anId('roof1', id) } }),
    )
  }

  await send('1', '2046-01-01T00:00:00Z')
  await send('2', '2026-01-07T12:00:30Z')
  await send('3', '2046-01-01T00:00:00Z', '2026-01-07T12:00:31Z')
  await send('4', '2026-01-07T12:00:32Z')
  await send('5', '2026-01-07T12:00:29Z')
  expect(flags).toEqual([false, false, false, false, true])

  // The clock of the sensor was set back: after a day it is in order again.
  await clock.advance(24 * 3_600_000)
  await send('6', '2026-01-06T00:00:00Z')
  expect(flags.at(-1)).toBe(false)
})

test('a report that onReport rejected does not make its repetition out of order', async () => {
  const onReport = vi.fn<(report: PositionReport, delivery: Delivery) => void>()
  onReport.mockImplementationOnce(() => {
    throw new Error('no')
  })
  const receive = aReceiver({ onReport, onError: () => {} })

  await receive(aRequest())
  await receive(aRequest())

  expect(onReport.mock.lastCall?.[1].outOfOrder).toBe(false)
})

const wrongRequests: Record<
  string,
  { request: Parameters<typeof aRequest>[0]; status: number; code: string; detail: string }
> = {
  'a GET': { request: { method: 'GET' }, status: 405, code: 'method_not_allowed', detail: 'POST, got GET' },
  'a PUT': { request: { method: 'PUT' }, status: 405, code: 'method_not_allowed', detail: 'POST, got PUT' },
  'another media type': contentType('text/plain'),
  'a media type that only starts like JSON': contentType('application/jsonp'),
  'an empty media type': contentType(''),
  'another charset': contentType('application/json; charset=utf-16'),
  'a compressed body': {
    request: { headers: { 'content-encoding': 'gzip' } },
    status: 403,
    code: 'unsupported_media_type',
    detail: 'must not be compressed, got "gzip"',
  },
  'an empty body': invalid('', 'not valid JSON'),
  'a truncated body': invalid('{"name":', 'not valid JSON'),
  'a literal that JSON does not have': invalid('{"name":NaN}', 'not valid JSON'),
  'invalid UTF-8': invalid(new Uint8Array([0x22, 0xff, 0x22]), 'not valid UTF-8'),
  'an array': invalid([], '"(the body)"'),
  'a scalar': invalid(7, '"(the body)"'),
  null: invalid(null, '"(the body)"'),
  'nesting over the limit': invalid('['.repeat(34) + ']'.repeat(34), 'deeper than 33 levels'),
  'a hundred thousand brackets': invalid('['.repeat(100_000), 'deeper than 33 levels'),
  'a message without a name': invalid({ version: '1.0' }, '/name'),
  'an unknown name': {
    ...invalid({ name: 'ping', version: '1.0' }, '"name" must be "validate" or "position_report", got "ping"'),
    code: 'unknown_message',
  },
  'an unknown version': {
    ...invalid({ ...aReportMessage(), version: '2.0' }, '"version" must be "1.0", got "2.0"'),
    code: 'unknown_message',
  },
  'a message without a version': invalid(
    { name: 'position_report', positionReport: aReport() },
    '"/version" is required',
  ),
  'a validation without a code': invalid({ name: 'validate', version: '1.0' }, '"/validationCode" is required'),
  'a validation code that is not a GUID': invalid(
    { name: 'validate', version: '1.0', validationCode: '<b>' },
    '"/validationCode"',
  ),
  'a report without positions': invalid(
    { ...aReportMessage(), positionReport: {} },
    '"/positionReport/positions" is required',
  ),
  'an empty list of positions': invalid(aReportMessage({ positions: [] }), '"/positionReport/positions"'),
  'one bad position among good': invalid(
    aReportMessage({ positions: [aPosition(), aPosition({ position: { lat: 91, lon: 0 } })] }),
    '"/positionReport/positions/1/position/lat"',
  ),
}

for (const [what, { request, status, code, detail }] of Object.entries(wrongRequests)) {
  test(`${what} is answered with ${status} and a problem that names the error`, async () => {
    const onReport = vi.fn()
    const onError = vi.fn()

    const response = await aReceiver({ onReport, onError })(aRequest(request))
    const problem: Problem = await response.json()

    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
    expect(problem).toMatchObject({ type: `urn:problem:${code}`, status, code })
    expect(problem.detail).toContain(detail)
    expect(onReport).not.toHaveBeenCalled()
    expect(onError).not.toHaveBeenCalled()
  })
}

test('each error has a JSON Pointer, and a thousand errors are cut to twenty', async () => {
  const positions = Array.from({ length: 1_000 }, () => aPosition({ id: 'x'.repeat(300) }))

  const response = await aReceiver({ onReport: () => {} })(
    aRequest({ body: JSON.stringify(aReportMessage(aReport({ positions }))) }),
  )
  const problem: Problem = await response.json()

  expect(problem.errors).toHaveLength(20)
  expect(problem.errors?.[1]?.pointer).toBe('/positionReport/positions/1/id')
  expect(problem.detail).toContain('999 more')
  expect(JSON.stringify(problem).length).toBeLessThan(10_000)
})

test('a report with the deepest nesting that the service allows is accepted', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)
  const body = JSON.stringify(aReportMessage(aReport({ sensor: { id: 'roof1', additionalInfo: deep } })))

  expect((await aReceiver({ onReport: () => {} })(aRequest({ body }))).status).toBe(204)
})

test('brackets and quotes inside strings do not count as nesting', async () => {
  const body = JSON.stringify(aReportMessage(aReport({ sensor: { id: `"\\${'['.repeat(99)}` } })))

  expect((await aReceiver({ onReport: () => {} })(aRequest({ body }))).status).toBe(204)
})

test('the media type may have a charset, in any case', async () => {
  const headers = { 'content-type': 'Application/JSON; Charset="UTF-8"' }

  expect((await aReceiver({ onReport: () => {} })(aRequest({ headers }))).status).toBe(204)
})

test('a wrong option throws at creation, and the message contains the value', () => {
  const onReport = () => {}
  expect(() => aReceiver({ onReport, maxBodyBytes: 0 })).toThrow(
    '"maxBodyBytes" must be a whole number of at least 1, got 0',
  )
  expect(() => aReceiver({ onReport, deadlineMs: Number.NaN })).toThrow('"deadlineMs"')
})

function contentType(type: string) {
  const detail = `must be application/json in UTF-8, got "${type}"`
  return { request: { headers: { 'content-type': type } }, status: 403, code: 'unsupported_media_type', detail }
}

function invalid(body: unknown, detail: string) {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  return { request: { body: raw ? (body as string) : JSON.stringify(body) }, status: 400, code: 'invalid_body', detail }
}
