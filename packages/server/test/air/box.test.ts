import { isInBox } from '@posrep/air'
import { expect, test } from 'vitest'
import { toBox } from '../../src/air/box.ts'

const isIn = (bbox: string, lat: number, lon: number) => {
  const box = toBox(bbox)
  return box !== undefined && isInBox(box, { lat, lon })
}

test('a box contains what is between its edges, and the edges', () => {
  expect(isIn('24,60,26,61', 60.5, 25)).toBe(true)
  expect(isIn('24,60,26,61', 60, 24)).toBe(true)
  expect(isIn('24,60,26,61', 60.5, 26.1)).toBe(false)
  expect(isIn('24,60,26,61', 59.9, 25)).toBe(false)
})

test('a box whose west is greater than its east reaches across longitude 180', () => {
  expect(isIn('170,-20,-170,0', -10, 179)).toBe(true)
  expect(isIn('170,-20,-170,0', -10, -179)).toBe(true)
  expect(isIn('170,-20,-170,0', -10, 0)).toBe(false)
})

test('no box is everywhere', () => {
  expect(toBox(undefined)).toBeUndefined()
})

test.each([
  ['24,61,26,60', 'south (61) is above north (60)'],
  ['24,60,181,61', 'longitudes are from -180 to 180'],
  ['60,24,61,96', 'latitudes are from -90 to 90'],
])('the box %s is refused, and the error says why', (bbox, why) => {
  expect(() => toBox(bbox)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  expect(() => toBox(bbox)).toThrow(why)
})
