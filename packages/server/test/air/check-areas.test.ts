import type { AirArea } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { checkAreas } from '../../src/air/check-areas.ts'
import { ApiError } from '../../src/errors.ts'
import { validExample } from '../example-files.ts'

type Differences = Partial<Omit<AirArea, 'properties'>> & { properties?: Partial<AirArea['properties']> }

function anArea({ properties, ...differences }: Differences = {}): AirArea {
  const area: AirArea = JSON.parse(validExample('AirArea'))
  return { ...area, ...differences, properties: { ...area.properties, ...properties } }
}

function withRing(...ring: number[][]): AirArea {
  return anArea({ geometry: { type: 'Polygon', coordinates: [ring] } })
}

async function errorsOf(...features: AirArea[]) {
  try {
    await checkAreas({ type: 'FeatureCollection', features })
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.errors.map(({ pointer, code }) => `${pointer} ${code}`)
    throw error
  }
}

test('the example of the document is accepted, and so is no area', async () => {
  expect(await errorsOf(anArea())).toEqual([])
  expect(await errorsOf()).toEqual([])
})

test('an ID is used once', async () => {
  expect(await errorsOf(anArea(), anArea({ id: 'b' }), anArea())).toEqual(['/features/2/id id'])
})

test('a ring ends where it began', async () => {
  expect(await errorsOf(withRing([24, 60], [25, 60], [25, 61], [24, 61]))).toEqual([
    '/features/0/geometry/coordinates/0/3 ring',
  ])
})

test('a ring has three different positions', async () => {
  const errors = await errorsOf(withRing([24, 60], [25, 60], [24, 60], [24, 60]))

  expect(errors).toEqual(['/features/0/geometry/coordinates/0 ring'])
})

test('a latitude that is out of range is shown, with the usual reason', async () => {
  const exchanged = withRing([60, 124], [60, 125], [61, 125], [60, 124])

  expect(await errorsOf(exchanged)).toHaveLength(4)
  await expect(checkAreas({ type: 'FeatureCollection', features: [exchanged] })).rejects.toThrow(
    'the longitude is first',
  )
})

test('a shape across longitude 180 must be cut there', async () => {
  const errors = await errorsOf(withRing([179, 60], [-179, 60], [-179, 61], [179, 60]))

  expect(errors).toEqual(['/features/0/geometry/coordinates/0/1 longitude'])
})

test('a shape around a pole is accepted when it has positions along its parallel', async () => {
  const cap = [
    [-180, 80],
    [0, 80],
    [180, 80],
    [180, 90],
    [0, 90],
    [-180, 90],
    [-180, 80],
  ]

  expect(await errorsOf(withRing(...cap))).toEqual([])
  expect(await errorsOf(withRing(...cap.filter(([lon]) => lon !== 0)))).toEqual([
    '/features/0/geometry/coordinates/0/1 longitude',
  ])
})

test.each([
  [
    'crosses itself',
    [
      [24, 60],
      [25, 61],
      [25, 60],
      [24, 61],
      [24, 60],
    ],
    2,
  ],
  [
    'touches itself at a position',
    [
      [24, 60],
      [26, 60],
      [26, 61],
      [25, 60.5],
      [24, 61],
      [24, 60.5],
      [25, 60.5],
      [24, 60],
    ],
    5,
  ],
  [
    'touches a side',
    [
      [24, 60],
      [26, 60],
      [26, 61],
      [25, 60],
      [24, 61],
      [24, 60],
    ],
    2,
  ],
  [
    'goes back on itself',
    [
      [24, 60],
      [26, 60],
      [26, 61],
      [26, 60],
      [25, 60],
      [25, 62],
      [24, 60],
    ],
    2,
  ],
])('a ring that %s is refused at the second side', async (_, ring, at) => {
  expect(await errorsOf(withRing(...ring))).toEqual([`/features/0/geometry/coordinates/0/${at} crossing`])
})

test('a ring with a position twice in a row is accepted', async () => {
  expect(await errorsOf(withRing([24, 60], [25, 60], [25, 60], [25, 61], [24, 60], [24, 60]))).toEqual([])
})

test('a refusal of a crossing says where it is and what to do', async () => {
  const bowTie = withRing([24, 60], [25, 61], [25, 60], [24, 61], [24, 60])

  await expect(checkAreas({ type: 'FeatureCollection', features: [bowTie] })).rejects.toThrow(
    '"/features/0/geometry/coordinates/0/2" begins a side that meets the one from position 0; make shapes',
  )
})

describe('a hole', () => {
  const outer = [
    [24, 60],
    [26, 60],
    [26, 62],
    [24, 62],
    [24, 60],
  ]
  const withHole = (...hole: number[][]) => anArea({ geometry: { type: 'Polygon', coordinates: [outer, hole] } })

  test('inside of the outer ring is accepted, also if it touches it', async () => {
    expect(await errorsOf(withHole([25, 61], [25.5, 61], [25, 61.5], [25, 61]))).toEqual([])
    expect(await errorsOf(withHole([24, 60], [25.5, 61], [25, 61.5], [24, 60]))).toEqual([])
    expect(await errorsOf(withHole([24, 60], [26, 60], [25, 61.5], [24, 60]))).toEqual([])
  })

  test('outside of the outer ring, also beside it, is refused', async () => {
    expect(await errorsOf(withHole([27, 61], [27.5, 61], [27, 61.5], [27, 61]))).toEqual([
      '/features/0/geometry/coordinates/1 hole',
    ])
    expect(await errorsOf(withHole([26, 60], [27, 61], [26, 62], [26, 60]))).toEqual([
      '/features/0/geometry/coordinates/1 hole',
    ])
  })

  test('across the outer ring is refused at the side that crosses it', async () => {
    expect(await errorsOf(withHole([25, 61], [27, 61], [25, 61.5], [25, 61]))).toEqual([
      '/features/0/geometry/coordinates/1/0 hole',
    ])
  })

  test('that is the outer ring is refused', async () => {
    expect(await errorsOf(withHole(...outer))).toEqual(['/features/0/geometry/coordinates/1 hole'])
  })
})

test('a floor above the ceiling is refused when both have the same datum', async () => {
  const floor = { height: 500, datum: 'msl' } as const

  expect(await errorsOf(anArea({ properties: { floor, ceiling: { height: 400, datum: 'msl' } } }))).toEqual([
    '/features/0/properties/floor/height floor',
  ])
  expect(await errorsOf(anArea({ properties: { floor, ceiling: { height: 400, datum: 'agl' } } }))).toEqual([])
})

test('a time ends after it starts, whatever the offsets', async () => {
  const active = [
    { from: '2026-01-07T18:00:00Z', to: '2026-01-07T19:30:00+01:00' },
    { from: '2026-01-07T18:00:00+02:00', to: '2026-01-07T17:00:00Z' },
    { from: '2026-01-07T18:00:00Z', to: '2026-01-07T18:00:00Z' },
  ]

  expect(await errorsOf(anArea({ properties: { active } }))).toEqual(['/features/0/properties/active/2/to time'])
})

test('the number of positions of all areas is limited', async () => {
  const zigzag = Array.from({ length: 998 }, (_, n) => [24.001 + n / 1_000, 61 - (n % 2)])
  const ring = [[24, 59], ...zigzag, [24, 59]]
  const areas = Array.from({ length: 21 }, (_, n) =>
    anArea({ id: `a${n}`, geometry: { type: 'Polygon', coordinates: [ring] } }),
  )

  expect(await errorsOf(...areas.slice(1))).toEqual([])
  expect(await errorsOf(...areas)).toEqual(['/features size'])
})

test('many mistakes are counted, and the first twenty are listed', async () => {
  const areas = Array.from({ length: 40 }, () => anArea())

  expect(await errorsOf(...areas)).toHaveLength(20)
  await expect(checkAreas({ type: 'FeatureCollection', features: areas })).rejects.toThrow('38 more in "errors"')
})

test('other requests run while the sides of large shapes are compared', async () => {
  let turns = 0
  let isChecking = true
  const turn = () => {
    turns++
    if (isChecking) setImmediate(turn)
  }
  setImmediate(turn)
  // A circle: no side meets another one, and every side is compared.
  const circle = Array.from({ length: 999 }, (_, n) => [10 + Math.cos(n / 159), 50 + Math.sin(n / 159)])
  const ring = [...circle, circle[0] as number[]]
  await checkAreas({
    type: 'FeatureCollection',
    features: Array.from({ length: 5 }, (_, n) => ({ ...withRing(...ring), id: `circle ${n}` })),
  })
  isChecking = false
  expect(turns).toBeGreaterThanOrEqual(45)
})
