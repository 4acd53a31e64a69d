import { describe, expect, test } from 'vitest'
import { findTrace, findTraceId, toTraceHeaders } from '../../../src/http/headers/traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'

test.each([
  `00-${traceId}-b7ad6b7169203331-01`,
  `00-${traceId}-b7ad6b7169203331-00`,
  `cc-${traceId}-b7ad6b7169203331-01-later`,
])('"%s" names its trace', (sent) => {
  expect(findTraceId(sent)).toBe(traceId)
})

test.each([
  ['00', '00'],
  ['01', '01'],
  ['03', '03'],
  ['fd', '01'],
])('the flags %s are passed on as %s, with the same trace and a new parent id', (sent, known) => {
  const traceparent = `00-${traceId}-b7ad6b7169203331-${sent}`
  const traceparents = [1, 2].map(() => toTraceHeaders(findTrace({ traceparent }) ?? '').traceparent)
  expect(traceparents[0]).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-${known}$`))
  expect(traceparents[0]).not.toBe(traceparents[1])
})

test.each([
  undefined,
  '',
  traceId,
  `ff-${traceId}-b7ad6b7169203331-01`,
  `00-${traceId}-b7ad6b7169203331-01-more`,
  `00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `cc-${traceId}-b7ad6b7169203331-01-${'x'.repeat(200)}`,
  `00-${traceId}-b7ad6b7169203331-01\nforged`,
])('%j names no trace', (sent) => {
  expect(findTraceId(sent)).toBeUndefined()
})

describe('the tracestate', () => {
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const passedOn = (tracestate: string | undefined) =>
    toTraceHeaders(findTrace({ traceparent, tracestate }) ?? '').tracestate

  test.each(['vendor=00f067aa0ba902b7', 'a=1 and 2 ,\tb@c=3', 'x'.repeat(512)])('%j is passed on as it is', (sent) => {
    expect(passedOn(sent)).toBe(sent)
  })

  test.each([undefined, '', 'x'.repeat(513), 'a=ä', 'a=1\nforged'])('%j is not passed on', (sent) => {
    expect(passedOn(sent)).toBeUndefined()
  })

  test('is ignored without a valid traceparent', () => {
    expect(findTrace({ traceparent: `${traceparent}-more`, tracestate: 'a=1' })).toBeUndefined()
  })
})
