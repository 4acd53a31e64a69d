import type { PositionData } from '@posrep/spec'
import { expect, test } from 'vitest'
import { mast, radar, radarPlace, roof } from '../../src/demo/demo-sensors.ts'
import { metresBetween, move } from '../../src/demo/place.ts'
import { aPosition } from '../a-report.ts'

const near = { ...aPosition(), target: { ids: [{ id: '461F9C', type: 'ICAO' }] }, position: move(radarPlace, 2_000, 0) }
const far = { ...near, position: move(radarPlace, 200_000, 0) }

test('the roof receives everything, the mast a part of what is near', () => {
  const heard = Array.from({ length: 300 }, () => mast.notice(near)).filter((position) => position !== undefined)

  expect(roof.notice(far)).toBe(far)
  expect(mast.notice(far)).toBeUndefined()
  expect(heard.length).toBeGreaterThan(120)
  expect(heard.length).toBeLessThan(280)
})

const passMs = 1_000_000
const seenAfter = (position: PositionData, seconds: number, startMs = passMs): PositionData => ({
  ...position,
  id: `a.${startMs.toString(36)}`,
  sourceTimeStamp: new Date(startMs + seconds * 1_000).toISOString(),
})

test('the radar measures where a target is, not what it is', () => {
  const [first, seen] = [0, 5].map((seconds) => radar.notice(seenAfter(near, seconds)))

  expect(first).toBeUndefined()
  expect(seen?.target).toEqual({ sourceId: expect.any(String) })
  expect(metresBetween(seen?.position ?? far.position, near.position)).toBeLessThan(300)
  expect(radar.notice(seenAfter(far, 5))).toBeUndefined()
  expect(radar.notice(seenAfter({ ...near, onGround: true }, 5))).toBeUndefined()
})

test('the radar keeps the number of a target, and gives it another one in each pass of the recording', () => {
  const other = { ...near, target: { ids: [{ id: '461FA0', type: 'ICAO' }] } }
  const numbersOf = (position: PositionData, startMs?: number) =>
    [0, 5, 9].map((seconds) => radar.notice(seenAfter(position, seconds, startMs))?.target?.sourceId)

  expect(numbersOf(near)).toEqual([undefined, '1000', '1000'])
  expect(numbersOf(other)).toEqual([undefined, '1001', '1001'])
  expect(numbersOf(near, passMs + 600_000)).toEqual([undefined, '1600', '1600'])
})
