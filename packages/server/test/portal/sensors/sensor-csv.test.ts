import { expect, test } from 'vitest'
import { readSensorCsv } from '../../../src/portal/sensors/sensor-csv.ts'

const rows = (count: number, row = (n: number) => `s${n}`) => Array.from({ length: count }, (_, n) => row(n))

test.each(['\n', '\r\n', '\r'])('1,000 sensors are read, one more is refused (line break %j)', (lineBreak) => {
  expect(readSensorCsv(['local_id', ...rows(1_000)].join(lineBreak)).sensors).toHaveLength(1_000)
  expect(readSensorCsv(['local_id', ...rows(1_001)].join(lineBreak))).toEqual({
    sensors: [],
    lines: [],
    wrong: ['The list may have at most 1000 sensors, got 1001'],
  })
})

test.each(['', 's'])('lists with more than 2,000 lines are refused by their number: of %j', (row) => {
  const wrong = ['The list may have at most 1000 sensors, and 2000 lines']
  expect(readSensorCsv(['local_id', ...rows(2_000, () => row)].join('\n')).wrong).toEqual(wrong)
  expect(readSensorCsv(`local_id\n"${'\n'.repeat(400_000)}"`).wrong).toEqual(wrong)
})

test('a sensor has one line, not half a megabyte', () => {
  expect(readSensorCsv(`local_id\n${'x'.repeat(500_000)}`).wrong).toEqual([
    expect.stringContaining('maximum number of tolerated bytes'),
  ])
  expect(readSensorCsv(`local_id,name\n"${'x'.repeat(500_000)}`).wrong).toHaveLength(1)
})
