import type { AirAlert } from '@posrep/spec'
import { expect, test } from 'vitest'
import { toSensorDoubts, toTrackDoubts } from '../../src/pages/map/page/panels/doubts.ts'
import { anAlert, aSensor, aTrack } from '../air/a-picture.ts'

const sure = aTrack({
  id: 't1',
  state: 'live',
  identifiers: [{ id: '4CA1FA', type: 'ICAO' }],
  altitudes: [{ height: 300, datum: 'msl', accuracy: 20, provenance: 'given' }],
  groundVelocity: { x: 60, y: 0, z: 0 },
})

test('a live target with an identifier, an altitude and a velocity has no doubts', () => {
  expect(toTrackDoubts(sure, [], 'metric')).toEqual([])
})

test.each([
  ['tentative', 'Few positions yet: it may be a false plot, and it raises no alerts.'],
  ['coasting', 'No sensor reports it just now: its position is predicted.'],
] as const)('a %s target says why it is in doubt', (state, said) => {
  expect(toTrackDoubts({ ...sure, state }, [], 'metric')).toEqual([said])
})

test('a target says what no sensor tells of it', () => {
  const { groundVelocity: _, ...still } = sure

  expect(toTrackDoubts({ ...still, identifiers: [], altitudes: [] }, [], 'metric')).toEqual([
    'No sensor identifies it.',
    'No sensor gives its altitude: others may be level with it.',
    'Its speed and direction are not known yet.',
  ])
})

test('an altitude is in doubt when no datum has it within 1,000 ft', () => {
  const vague = { height: 300, datum: 'msl', accuracy: 900, provenance: 'derived' } as const
  const good = { height: 290, datum: 'bar', accuracy: 30, provenance: 'given' } as const

  expect(toTrackDoubts({ ...sure, altitudes: [vague] }, [], 'metric')).toEqual([
    'Its altitude is known to 900 m at best.',
  ])
  expect(toTrackDoubts({ ...sure, altitudes: [vague, good] }, [], 'metric')).toEqual([])
  expect(toTrackDoubts({ ...sure, altitudes: [], onGround: true }, [], 'metric')).toEqual([])
})

test('a target whose identifier another has, too, says so until the alert ends', () => {
  const { conflict: _, ...alert } = anAlert({ id: 'a', kind: 'identityConflict' })
  const identityConflict = { identifier: { id: '4CA1FA' }, trackIds: ['t0', 't1'], distanceMetres: 5_240 }
  const twice: AirAlert = { ...alert, state: 'active', identityConflict }
  const ended: AirAlert = { ...twice, state: 'ended', endedAt: alert.updatedAt }

  expect(toTrackDoubts(sure, [twice], 'metric')).toEqual([
    'Another target, 5.2 km away, has the same identifier, 4CA1FA.',
  ])
  expect(toTrackDoubts(sure, [ended], 'metric')).toEqual([])
})

test('a sensor says how wrong its clock, positions, bearings and ranges are, and that the picture has corrected them', () => {
  const sensor = aSensor()

  expect(toSensorDoubts(sensor, 'metric')).toEqual([])
  expect(toSensorDoubts({ ...sensor, clockOffsetSeconds: -7.4 }, 'metric')).toEqual([
    'Its clock is 7.4 s behind. The picture has corrected it.',
  ])
  expect(toSensorDoubts({ ...sensor, placeOffset: { eastMetres: -150, northMetres: 150 } }, 'aviation')).toEqual([
    'Its positions are 700 ft too far north-west. The picture has corrected them.',
  ])
  expect(toSensorDoubts({ ...sensor, azimuthOffsetDegrees: -1, rangeOffsetMetres: 150 }, 'metric')).toEqual([
    'Its bearings are 1.0° too far anticlockwise. The picture has corrected them.',
    'Its ranges are 150 m too long. The picture has corrected them.',
  ])
})
