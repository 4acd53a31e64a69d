import { expect, test } from 'vitest'
import { createFramePacker } from '../../src/map/feed/pack-frames.ts'
import { toFirstBox } from '../../src/map/model/first-view.ts'
import { toX } from '../../src/map/model/mercator.ts'
import { createPicture } from '../../src/map/model/picture.ts'
import { aSensor, aTrackAt } from '../an-air-track.ts'

/** A picture with targets at these longitudes of the equator, and a sensor at 10° E. */
function pictureAt(...lons: number[]) {
  const picture = createPicture()
  const frame = createFramePacker()({
    notice: 'Not for navigation',
    time: '2026-01-07T12:00:31.000Z',
    full: true,
    tracks: lons.map((lon, n) => aTrackAt(`t${n}`, 0, lon)),
    ended: [],
    alerts: [],
    sensors: [aSensor({ deviceId: 'urn:aa:device:acme:roof1', position: { lat: 0, lon: 10 } })],
  })
  picture.apply(frame, 0)
  return picture
}

test('the first view has all targets and the sensors', () => {
  const box = toFirstBox(pictureAt(11, 14), undefined)

  expect([box?.west, box?.east].map((x) => x?.toFixed(6))).toEqual([toX(10), toX(14)].map((x) => x.toFixed(6)))
})

test('of many targets, the few that are far away from all others are left out', () => {
  const near = Array.from({ length: 60 }, (_, n) => 10 + n / 60)

  expect(toFirstBox(pictureAt(...near, 120), undefined)?.east).toBeLessThan(toX(12))
})

test('across longitude 180 it is the short way around', () => {
  const box = toFirstBox(pictureAt(179, -179), 'urn:aa:device:acme:other')

  expect((box?.east ?? 1) - (box?.west ?? 0)).toBeCloseTo(2 / 360, 6)
})

test('without targets and sensors there is none', () => {
  expect(toFirstBox(createPicture(), undefined)).toBeUndefined()
})
