import { describe, expect, test } from 'vitest'
import { addPoint, createHistory } from '../../src/correlation/targets/history.ts'
import { listPaths } from '../../src/tracker/paths.ts'

const timeMs = Date.UTC(2026, 0, 7, 12)
const roof = 'urn:aa:device:acme:roof1'
const whole = { seconds: 600, limit: 10 }

/** A target that was reported each second until `endSeconds` before the time of the picture, on its way to the east. */
function aTarget(id: string, { seconds = 60, endSeconds = 0, lat = 60, lon = 24, height = 1_000 } = {}) {
  const history = createHistory()
  for (let before = endSeconds + seconds; before >= endSeconds; before--) {
    const altitudes = [{ heightMetres: height, datum: 'msl' as const, provenance: 'given' as const }]
    addPoint(history, timeMs - before * 1_000, roof, lat, lon + (seconds - before) * 0.001, altitudes, 300)
  }
  return { track: { id, identifiers: [{ kind: 'ICAO' as const, id: '461F9C' }] }, history, hasEnded: endSeconds > 0 }
}

const list = (...[targets, query = whole]: [targets: ReturnType<typeof aTarget>[], query?: object]) => {
  return listPaths(targets, { ...whole, ...query }, timeMs)
}

describe('the path of a target', () => {
  test('has its latest point, and earlier ones that are at least 5 s apart, oldest first', () => {
    const [path] = list([aTarget('t1', { seconds: 12 })]).paths

    expect(path).toEqual({
      id: 't1',
      identifiers: [{ id: '461F9C', type: 'ICAO' }],
      deviceIds: [roof],
      ended: false,
      points: [
        [24.002, 60, 10, 1_000],
        [24.007, 60, 5, 1_000],
        [24.012, 60, 0, 1_000],
      ],
    })
  })

  test('begins with the window', () => {
    const [path] = list([aTarget('t1')], { seconds: 10 }).paths

    expect(path?.points.map(([, , before]) => before)).toEqual([10, 5, 0])
  })

  test('is left out when it is older than the window, or outside of the box', () => {
    const targets = [aTarget('t1'), aTarget('t2', { lat: 10 }), aTarget('t3', { endSeconds: 100 })]
    const box = { westDegrees: 20, southDegrees: 50, eastDegrees: 30, northDegrees: 70 }

    expect(list(targets, { box, seconds: 60 }).paths.map(({ id }) => id)).toEqual(['t1'])
  })

  test('is there when the target has left the box in the window', () => {
    const box = { westDegrees: 20, southDegrees: 50, eastDegrees: 24.01, northDegrees: 70 }

    expect(list([aTarget('t1')], { box }).paths).toHaveLength(1)
    expect(list([aTarget('t1')], { box, seconds: 5 }).paths).toHaveLength(0)
  })

  test('of a track that ended says so', () => {
    expect(list([aTarget('t1', { endSeconds: 100 })]).paths).toMatchObject([{ id: 't1', ended: true }])
  })
})

test('paths are sorted by ID, and what is beyond the limit is left out and said', () => {
  const { paths, truncated } = list([aTarget('t2'), aTarget('t3'), aTarget('t1')], { limit: 2 })

  expect([paths.map(({ id }) => id), truncated]).toEqual([['t1', 't2'], true])
})

test('all paths together have at most about 100,000 points', () => {
  const target = aTarget('t1', { seconds: 299 })
  const many = Array.from({ length: 10_000 }, (_, n) => ({ ...target, track: { ...target.track, id: `t${n}` } }))
  const { paths } = list(many, { limit: 10_000, seconds: 300 })
  const points = paths.reduce((sum, path) => sum + path.points.length, 0)

  expect(points).toBeGreaterThan(80_000)
  expect(points).toBeLessThanOrEqual(110_000)
})
