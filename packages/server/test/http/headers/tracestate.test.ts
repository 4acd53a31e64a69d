import { expect, test } from 'vitest'
import { findTrace } from '../../../src/http/headers/traceparent.ts'
import { findTracestate } from '../../../src/http/headers/tracestate.ts'

const members = (count: number, of = (n: number) => `k${n}=v`) => Array.from({ length: count }, (_, n) => of(n))

test.each([
  ['vendor=00f067aa0ba902b7', 'vendor=00f067aa0ba902b7'],
  ['a=1,b=2', 'a=1,b=2'],
  ['a=1 ,\t b=2 ', 'a=1,b=2'],
  ['a=1,,b=2,', 'a=1,b=2'],
  ['fw529a3039@dt=in the middle', 'fw529a3039@dt=in the middle'],
  ['0tenant@sys=!"#$%&\'()*+-./:;<>?@[]^_`{|}~', '0tenant@sys=!"#$%&\'()*+-./:;<>?@[]^_`{|}~'],
  [members(32).join(','), members(32).join(',')],
])('%j is passed on as %j', (sent, passedOn) => {
  expect(findTracestate(sent)).toBe(passedOn)
})

test.each([
  [undefined],
  [''],
  [' , '],
  ['a'],
  ['=1'],
  ['a='],
  ['a=1=2'],
  ['A=1'],
  ['-a=1'],
  ['a@=1'],
  ['a@1=1'],
  ['a=1,a=2'],
  ['a=ä'],
  ['a=1\nforged'],
  [`a=${'x'.repeat(257)}`],
  [`${'k'.repeat(257)}=1`],
  ['a=1,b'],
  [members(33).join(',')],
  [`a=1${' '.repeat(4_094)}`],
])('%j is not passed on at all', (sent) => {
  expect(findTracestate(sent)).toBeUndefined()
})

test('above 512 characters, long members are removed first, then those at the end', () => {
  const long = `long=${'x'.repeat(200)}`
  const short = members(32, (n) => `key${String(n).padStart(2, '0')}=0123456789`)

  const passedOn = findTracestate([long, ...short.slice(1)].join(','))

  expect(passedOn).toBe(short.slice(1, 31).join(','))
  expect(findTracestate(['a=1', 'b=2', long, `${long.slice(1)}`, `third=${'y'.repeat(200)}`].join(','))).toBe('a=1,b=2')
})

test('without a valid traceparent, the tracestate is ignored', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const tracestate = 'a=1'

  expect(findTrace({ traceparent, tracestate })).toBe('0af7651916cd43dd8448eb211c80319c-01 a=1')
  expect(findTrace({ traceparent, tracestate: 'A=1' })).toBe('0af7651916cd43dd8448eb211c80319c-01')
  expect(findTrace({ traceparent: `${traceparent}-more`, tracestate })).toBeUndefined()
})
