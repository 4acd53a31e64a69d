import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, document } from './document.ts'

const source = String(at(document, 'components', 'schemas', 'SourceTimeStamp', 'pattern'))
const bare = new RegExp(source)
const unicode = new RegExp(source, 'u')

/** Tests the pattern with the `u` flag, as Ajv does, and without it, as valibot does; both must agree. */
function isAccepted(text: string): boolean {
  const byBare = bare.test(text)
  if (unicode.test(text) !== byBare) throw new Error(`The u flag changes the result for ${JSON.stringify(text)}`)
  return byBare
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  fraction: string
  offset: string
}

/** The same rule, implemented with Date. */
function exists({ year, month, day, hour, minute, second, fraction, offset }: Parts): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay =
    year >= 1 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const isOffset = sign === undefined || (Number(hours) <= 23 && Number(minutes) <= 59)
  const isFraction = /^(\.\d{1,9})?$/.test(fraction)
  return isDay && isOffset && isFraction && isTimeOfDay(hour, minute, second, sign, Number(minutes))
}

function isTimeOfDay(
  hour: number,
  minute: number,
  second: number,
  sign: string | undefined,
  offsetMinutes: number,
): boolean {
  if (hour > 23 || minute > 59) return false
  if (second < 60) return true
  if (second > 60) return false
  if (sign === undefined) return hour === 23 && minute === 59
  // A leap second is 23:59:60 in UTC; an offset changes its hour and its minute.
  const quarters = [0, 15, 30, 45]
  return quarters.includes(offsetMinutes) && minute === (59 + (sign === '+' ? offsetMinutes : 60 - offsetMinutes)) % 60
}

function print({ year, month, day, hour, minute, second, fraction, offset }: Parts, separator = 'T'): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return `${date}${separator}${two(hour)}:${two(minute)}:${two(second)}${fraction}${offset}`
}

const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
const offsets = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+00:00', '-00:00', '+05:30', '-03:30', '+05:45', '+12:45', '-00:15', '+00:15'),
  fc
    .tuple(fc.constantFrom('+', '-'), twoDigits(25), twoDigits(61))
    .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
)
const fractions = fc
  .integer({ min: -1, max: 12 })
  .map((digits) => (digits < 0 ? '' : `.${'305070090001'.slice(0, digits)}`))

const parts: fc.Arbitrary<Parts> = fc.record({
  year: fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 1, 4, 100, 400, 1900, 2000, 2024, 2100, 9999)),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.oneof(fc.integer({ min: 0, max: 32 }), fc.constantFrom(28, 29, 30, 31)),
  hour: fc.oneof(fc.integer({ min: 0, max: 25 }), fc.constantFrom(0, 23)),
  minute: fc.oneof(fc.integer({ min: 0, max: 61 }), fc.constantFrom(14, 29, 44, 59)),
  second: fc.oneof(fc.integer({ min: 0, max: 61 }), fc.constant(60)),
  fraction: fractions,
  offset: offsets,
})

test('the pattern accepts exactly the times that exist in the calendar', () => {
  fc.assert(
    fc.property(
      parts,
      fc.constantFrom('T', 't'),
      (time, separator) => isAccepted(print(time, separator)) === exists(time),
    ),
    { numRuns: 20_000 },
  )
})

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})

test('the pattern accepts every time that Date can print in the years 0001 to 9999', () => {
  fc.assert(
    fc.property(instants, (instant) => isAccepted(instant.toISOString())),
    { numRuns: 5_000 },
  )
})

test('the pattern agrees with the calendar at the end of every month from 1896 to 2304', () => {
  const time = { hour: 12, minute: 0, second: 0, fraction: '', offset: 'Z' }
  const months = Array.from({ length: (2304 - 1896) * 12 }, (_, index) => ({
    year: 1896 + Math.floor(index / 12),
    month: 1 + (index % 12),
  }))
  const dates = months.flatMap((month) => [28, 29, 30, 31].map((day) => ({ ...month, day, ...time })))

  const wrong = dates.filter((date) => isAccepted(print(date)) !== exists(date)).map((date) => print(date))

  expect(wrong).toEqual([])
})

test('a time with one character inserted, removed or replaced is accepted only if it has the shape of a time', () => {
  const characters = fc.constantFrom(...'0123456789TtZz:.+- \n\u0000٣１−,W', '')
  const shape = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)?$/

  fc.assert(
    fc.property(
      instants,
      offsets,
      fc.nat(),
      characters,
      fc.boolean(),
      (instant, offset, place, character, replaced) => {
        const time = instant.toISOString().replace('Z', offset)
        const index = place % (time.length + 1)
        const broken = time.slice(0, index) + character + time.slice(index + Number(replaced))
        return !isAccepted(broken) || shape.test(broken)
      },
    ),
    { numRuns: 10_000 },
  )
})

// Backtracking over these lengths takes longer than a test may.
test('the pattern refuses a malicious string without backtracking', () => {
  const hostile = [
    `2026-01-07T12:00:30.${'1'.repeat(1_000_000)}`,
    '2026-01-07T12:00:30+'.repeat(50_000),
    '0'.repeat(1_000_000),
  ]

  expect(hostile.map(isAccepted)).toEqual([false, false, false])
})
