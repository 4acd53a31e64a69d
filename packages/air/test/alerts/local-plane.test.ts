import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import { expect, test } from 'vitest'
import { displace, offsetBetween } from '../../src/alerts/local-plane.ts'

const places = fc.record({
  latDegrees: fc.double({ min: -75, max: 75, noNaN: true }),
  lonDegrees: fc.double({ min: -180, max: 180, maxExcluded: true, noNaN: true }),
})
const metres = fc.double({ min: -28_000, max: 28_000, noNaN: true })

test('distances up to 40 km are those of geodesics on the ellipsoid, to 0.1 %', () => {
  fc.assert(
    fc.property(places, metres, metres, (from, eastMetres, northMetres) => {
      const to = displace(from, { eastMetres, northMetres })
      const offset = offsetBetween(from, to)
      const { s12 } = geodesic.Geodesic.WGS84.Inverse(from.latDegrees, from.lonDegrees, to.latDegrees, to.lonDegrees)
      const distance = Math.hypot(offset.eastMetres, offset.northMetres)
      expect(Math.abs(distance - (s12 ?? Number.NaN))).toBeLessThan(0.001 * distance + 0.01)
    }),
  )
})

test('a displacement and its offset are the same, also across longitude 180', () => {
  fc.assert(
    fc.property(places, metres, metres, (from, eastMetres, northMetres) => {
      const offset = offsetBetween(from, displace(from, { eastMetres, northMetres }))
      expect(Math.abs(offset.eastMetres - eastMetres)).toBeLessThan(1)
      expect(Math.abs(offset.northMetres - northMetres)).toBeLessThan(1)
    }),
  )
})
