import type { PositionReport } from '@posrep/spec'
import { expect, test } from 'vitest'
import { tagReports } from '../../../src/pipeline/stages/tag-reports.ts'
import { aPosition, aReport } from '../../a-report.ts'
import { aPipelineReport } from '../a-pipeline-report.ts'

const receivedAtMs = Date.UTC(2026, 0, 7, 12, 0, 30)

const mapped = {
  sourceTimeStamp: '2026-01-07T12:00:30Z',
  target: { ids: [{ id: '461F9C', type: 'ICAO' }] },
  altitudes: [{ height: 900, datum: 'msl' as const }],
  groundVelocity: { x: 1, y: 2, z: 0 },
}

function tagsOf(report: PositionReport): string[] {
  const pipelineReport = aPipelineReport({ report, receivedAtMs })
  tagReports.run([pipelineReport])
  return [...pipelineReport.tags]
}

const withPosition = (position: Parameters<typeof aPosition>[0]) =>
  tagsOf(aReport({ positions: [aPosition({ ...mapped, ...position })] }))

test('a current position with the content for the map view has no tag', () => {
  expect(withPosition({})).toEqual([])
})

test.each([
  ['no target', { target: undefined }],
  ['no identifier', { target: { ids: [] } }],
  ['an identifier without a type', { target: { ids: [{ id: '461F9C' }] } }],
  ['no altitude', { altitudes: [] }],
  ['no velocity', { groundVelocity: undefined }],
  ['a velocity without z', { groundVelocity: { x: 1, y: 2 } }],
])('a position with %s has the tag not-mapped', (_what, position) => {
  expect(withPosition(position)).toEqual(['not-mapped'])
})

test('an object on the ground needs no velocity', () => {
  expect(withPosition({ groundVelocity: undefined, onGround: true })).toEqual([])
})

test.each([
  ['2026-01-07T11:55:29Z', ['late']],
  ['2026-01-07T11:55:31Z', []],
  ['2026-01-07T12:01:29Z', []],
  ['2026-01-07T12:01:31Z', ['clock-skew']],
  ['0001-01-01T00:00:00Z', ['late']],
  ['9999-12-31T23:59:59.999999999Z', ['clock-skew']],
  // A time without an offset is UTC.
  ['2026-01-07T12:00:30', ['no-offset']],
  ['2026-01-07t12:00:30.123456789z', []],
  ['2026-01-07T17:30:30+05:30', []],
  ['2026-01-07T12:00:30+05:30', ['late']],
  ['2016-12-31T23:59:60Z', ['late']],
  ['2016-12-31T23:59:60', ['late', 'no-offset']],
])('a position of %s that was received at 12:00:30 has the tags %j', (sourceTimeStamp, tags) => {
  expect(withPosition({ sourceTimeStamp })).toEqual(tags)
})

test('a report is tagged when one of its positions requires the tag', () => {
  const positions = [aPosition(mapped), aPosition({ ...mapped, sourceTimeStamp: '2026-01-07T11:00:00Z' })]
  expect(tagsOf(aReport({ positions }))).toEqual(['late'])
})

test("a sensor's altitude with another datum than mean sea level is tagged", () => {
  const sensor = (datum: 'msl' | 'wgs84') => ({ id: 'roof1', sensorPosition: { altitude: { height: 12, datum } } })
  const positions = [aPosition(mapped)]
  expect(tagsOf(aReport({ sensor: sensor('wgs84'), positions }))).toEqual(['datum-not-msl'])
  expect(tagsOf(aReport({ sensor: sensor('msl'), positions }))).toEqual([])
})
