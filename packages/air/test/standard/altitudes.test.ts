import type { Height } from '@posrep/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeAltitudes } from '../../src/standard/altitudes.ts'
import { pressureAltitudeMetres } from '../../src/standard/pressure-altitude.ts'
import type { StandardAltitude } from '../../src/standard/standard-position.ts'

type Given = Pick<StandardAltitude, 'datum' | 'heightMetres'> & Partial<StandardAltitude>

function complete(given: Given[], inputs: Parameters<typeof completeAltitudes>[1] = {}, lat = 60.3, lon = 24.9) {
  const altitudes = given.map((altitude) => ({ provenance: 'given' as const, ...altitude }))
  const all = completeAltitudes({ latDegrees: lat, lonDegrees: lon, altitudes }, inputs)
  return { all, of: (datum: Height['datum']) => all.find((altitude) => altitude.datum === datum) }
}

const metresPerFoot = 0.3048

/** The pressure whose altitude `pressureAltitudeMetres` gives. */
function pressureHpaAt(metres: number): number {
  let [low, high] = [300, 1_100]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (pressureAltitudeMetres(middle) > metres) low = middle
    else high = middle
  }
  return low
}

describe('between the ellipsoid and mean sea level', () => {
  // NIMA's test points for EGM96, file OUTPUT.DAT of its program F477: degrees, degrees, metres of the geoid.
  test.each([
    [38.628155, 269.779155 - 360, -31.628],
    [-14.621217, 305.021114 - 360, -2.969],
    [46.874319, 102.448729, -43.575],
    [-23.617446, 133.874712, 15.871],
    [38.625473, 359.9995 - 360, 50.066],
    [-0.466744, 0.0023, 17.329],
  ])('the geoid at %d, %d is at %d m, within 0.1 m', (lat, lon, geoidMetres) => {
    const msl = complete([{ datum: 'wgs84', heightMetres: 1_000 }], {}, lat, lon).of('msl')
    const wgs84 = complete([{ datum: 'msl', heightMetres: 1_000 }], {}, lat, lon).of('wgs84')

    expect(Math.abs((msl?.heightMetres ?? 0) - (1_000 - geoidMetres))).toBeLessThan(0.1)
    expect(Math.abs((wgs84?.heightMetres ?? 0) - (1_000 + geoidMetres))).toBeLessThan(0.1)
  })

  test('a derived altitude says from what it was derived, and carries the error of both', () => {
    const { all } = complete([{ datum: 'wgs84', heightMetres: 100, accuracyMetres: 3, ageMs: 400 }])
    expect(all).toEqual([
      { datum: 'wgs84', heightMetres: 100, accuracyMetres: 3, ageMs: 400, provenance: 'given' },
      {
        datum: 'msl',
        heightMetres: expect.closeTo(82.4, 0),
        accuracyMetres: Math.hypot(3, 2),
        ageMs: 400,
        provenance: 'derived',
        from: 'wgs84, EGM96',
      },
    ])
  })

  test('an altitude without accuracy gives one without accuracy', () => {
    expect(complete([{ datum: 'wgs84', heightMetres: 100 }]).of('msl')).not.toHaveProperty('accuracyMetres')
  })

  test('there and back is the same altitude, everywhere', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, maxExcluded: true, noNaN: true }),
        (lat, lon) => {
          const msl = complete([{ datum: 'wgs84', heightMetres: 500 }], {}, lat, lon).of('msl')
          const back = complete([{ datum: 'msl', heightMetres: msl?.heightMetres ?? Number.NaN }], {}, lat, lon)
          expect(back.of('wgs84')?.heightMetres).toBeCloseTo(500, 6)
        },
      ),
    )
  })

  test.each([
    [-90, -1e-16],
    [-89.9, -1e-300],
    [90, 0],
    [-90, 179.9999999999],
  ])('the edges of the grid have a geoid: %d, %d', (lat, lon) => {
    expect(complete([{ datum: 'wgs84', heightMetres: 0 }], {}, lat, lon).of('msl')?.heightMetres).toBeCloseTo(
      lat > 0 ? -13.6 : 29.5,
      0,
    )
  })
})

describe('a barometric altitude', () => {
  test('is not converted without the pressure at the sensor', () => {
    expect(complete([{ datum: 'bar', heightMetres: 1_000 }]).all).toHaveLength(1)
  })

  test('is corrected by the difference between the altitude of the sensor and its pressure altitude', () => {
    const inputs = { sensorPressureHpa: 995, sensorAltitude: { height: 55, datum: 'msl' as const } }
    const { of } = complete([{ datum: 'bar', heightMetres: 1_000 }], inputs)

    expect(of('msl')).toMatchObject({
      heightMetres: expect.closeTo(1_000 + 55 - 152.9, 0),
      provenance: 'derived',
      from: 'bar, sensor pressure 995 hPa at 55 m',
    })
    expect(of('wgs84')).toMatchObject({ from: 'bar, sensor pressure 995 hPa at 55 m, EGM96' })
  })

  test('of a target beside the sensor at the same pressure is the altitude of the sensor', () => {
    const inputs = { sensorPressureHpa: 980, sensorAltitude: { height: 200, datum: 'msl' as const } }
    const { of } = complete([{ datum: 'bar', heightMetres: pressureAltitudeMetres(980) }], inputs)
    expect(of('msl')?.heightMetres).toBeCloseTo(200, 9)
  })

  test('with a sensor of unknown height is converted if the pressure is one at sea level, says so, and is 300 m less accurate', () => {
    const msl = complete([{ datum: 'bar', heightMetres: 1_000 }], { sensorPressureHpa: 1_013.25 }).of('msl')
    expect(msl?.heightMetres).toBeCloseTo(1_000, 9)
    expect(msl?.from).toBe('bar, sensor pressure 1013.3 hPa, height of the sensor unknown, taken as 0 m')
    expect(msl?.accuracyMetres).toBeGreaterThan(300)
  })

  test.each([834, 970, 1_060])(
    'with a sensor of unknown height and a pressure of %d hPa is not converted',
    (sensorPressureHpa) => {
      const { all } = complete([{ datum: 'bar', heightMetres: 3_000 }], { sensorPressureHpa })
      expect(all.map(({ datum }) => datum)).toEqual(['bar'])
    },
  )

  test('with a sensor of any unknown height, in any weather, is within its accuracy or is not converted', () => {
    // How much higher a pressure altitude is than the height above mean sea level.
    const weather = fc.double({ min: -300, max: 300, noNaN: true })
    const sensorHeight = fc.double({ min: -100, max: 4_000, noNaN: true })
    const height = fc.double({ min: 0, max: 12_000, noNaN: true })
    fc.assert(
      fc.property(weather, sensorHeight, height, (difference, sensorMetres, metres) => {
        const sensorPressureHpa = pressureHpaAt(sensorMetres + difference)
        const msl = complete([{ datum: 'bar', heightMetres: metres + difference }], { sensorPressureHpa }).of('msl')
        if (msl) expect(Math.abs(msl.heightMetres - metres)).toBeLessThan(msl.accuracyMetres ?? 0)
      }),
    )
  })

  test('is less accurate the higher it is above the sensor', () => {
    const inputs = { sensorPressureHpa: 1_013, sensorAltitude: { height: 0, datum: 'msl' as const } }
    const accuracyAt = (heightMetres: number) =>
      complete([{ datum: 'bar', heightMetres, accuracyMetres: 5 }], inputs).of('msl')?.accuracyMetres ?? 0
    expect(accuracyAt(0)).toBeCloseTo(Math.hypot(5, 16), 1)
    expect(accuracyAt(10_000)).toBeGreaterThan(900)
  })

  test.each([
    [1_000, 0],
    [1_000, 20_000],
    [1_000, Number.NaN],
    [1e9, 1_013],
  ])('of %d m is not converted by a pressure of %d hPa', (heightMetres, sensorPressureHpa) => {
    expect(complete([{ datum: 'bar', heightMetres }], { sensorPressureHpa }).all).toHaveLength(1)
  })

  // Aircraft in the recording of recordings/README.md (MIT, Richard Wiren): feet of alt_baro and alt_geom in readsb's
  // aircraft.json. The day was about 25 K colder than the standard atmosphere; the aircraft had set 1015.2 hPa.
  test.each([
    [125, 225, 60.312332, 24.938681],
    [3_000, 2_900, 60.37056, 25.073169],
    [6_000, 5_700, 60.495797, 25.103662],
    [9_000, 8_525, 60.428436, 25.074234],
    [15_000, 14_125, 60.35763, 24.121759],
    [21_000, 19_650, 60.289673, 23.628182],
  ])('of %d ft in a recording is as far from the geometric one as its accuracy says', (bar, wgs84, lat, lon) => {
    const inputs = { sensorPressureHpa: 1_008.6, sensorAltitude: { height: 55, datum: 'msl' as const } }
    const derived = complete([{ datum: 'bar', heightMetres: bar * metresPerFoot }], inputs, lat, lon).of('msl')
    const geometric = complete([{ datum: 'wgs84', heightMetres: wgs84 * metresPerFoot }], {}, lat, lon).of('msl')

    const error = (derived?.heightMetres ?? 0) - (geometric?.heightMetres ?? 0)
    expect(Math.abs(error)).toBeLessThan(derived?.accuracyMetres ?? 0)
  })
})

describe('a height above ground', () => {
  const terrain = () => 130

  test('stays alone without a terrain function', () => {
    expect(complete([{ datum: 'agl', heightMetres: 50 }]).all).toHaveLength(1)
  })

  test('becomes an altitude above mean sea level, and back, with a terrain function', () => {
    const fromAgl = complete([{ datum: 'agl', heightMetres: 50 }], { terrain })
    expect(fromAgl.of('msl')).toMatchObject({ heightMetres: 180, from: 'agl, terrain' })
    expect(fromAgl.of('wgs84')).toMatchObject({ from: 'agl, terrain, EGM96' })
    expect(complete([{ datum: 'msl', heightMetres: 180 }], { terrain }).of('agl')).toMatchObject({
      heightMetres: 50,
      from: 'msl, terrain',
    })
  })

  test('is not derived where the terrain is unknown', () => {
    const { all } = complete([{ datum: 'msl', heightMetres: 180 }], { terrain: () => undefined })
    expect(all.map(({ datum }) => datum)).toEqual(['msl', 'wgs84'])
  })
})

test('given altitudes are kept unchanged and in order, also two above one datum', () => {
  const given = [
    { datum: 'bar' as const, heightMetres: 1 },
    { datum: 'msl' as const, heightMetres: 2 },
    { datum: 'msl' as const, heightMetres: 3 },
    { datum: 'wgs84' as const, heightMetres: 4 },
  ]
  const { all } = complete(given, { sensorPressureHpa: 1_000 })
  expect(all).toEqual(given.map((altitude) => ({ ...altitude, provenance: 'given' })))
})

test('a position without altitude gets none', () => {
  expect(complete([], { sensorPressureHpa: 1_000, terrain: () => 0 }).all).toEqual([])
})
