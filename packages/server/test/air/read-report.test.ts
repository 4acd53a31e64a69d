import { expect, test } from 'vitest'
import { readReport } from '../../src/air/thread/read-report.ts'
import { anAircraft, aText } from './an-air.ts'

const mend = (value: unknown) => ({ value })
const text = aText([anAircraft('461F9C', 0), anAircraft('ABCDEF', 0)])

test('positions that the device has reported before are left out', () => {
  const { positions } = readReport({ duplicates: [1], text }, mend)

  expect(positions.map(({ id }) => id)).toEqual(['461F9C-0'])
})

test('a report is mended before its positions are counted', () => {
  const { positions } = readReport({ duplicates: [], text }, (value) => ({
    value: { ...Object(value), positions: [] },
  }))

  expect(positions).toEqual([])
})
