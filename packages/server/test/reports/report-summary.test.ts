import { expect, test } from 'vitest'
import { summarise } from '../../src/reports/report-summary.ts'
import { aPosition, aReport } from '../a-report.ts'

const keysOf = (positions: object[]) =>
  summarise({ ...aReport(), positions: positions.map((position) => ({ ...aPosition(), ...position })) }, false).keys

test('positions have the same key if id and time are the same, whatever the offset of the time', () => {
  const [first, second, later] = keysOf([
    { id: 'p', sourceTimeStamp: '2026-01-07T12:00:30Z' },
    { id: 'p', sourceTimeStamp: '2026-01-07T14:00:30+02:00' },
    { id: 'p', sourceTimeStamp: '2026-01-07T12:00:31Z' },
  ])
  expect(second).toBe(first)
  expect(later).not.toBe(first)
})

test('positions with long ids that differ at the end have different keys, which are short', () => {
  const [first = '', second = ''] = keysOf([{ id: `${'x'.repeat(254)}1` }, { id: `${'x'.repeat(254)}2` }])
  expect(first).not.toBe(second)
  expect(first.length).toBeLessThan(70)
})
