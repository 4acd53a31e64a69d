import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Alerts, createAlerts } from '../../src/alerts/alerts.ts'
import type { Track } from '../../src/track/track.ts'
import { aTrack, flying, run, startMs } from './a-track.ts'

const headOn = flying(
  { name: 'FIN5LA', velocity: [120, 0], up: 3_000 },
  { name: 'SAS12', east: 12_000, velocity: [-120, 0], up: 3_000 },
)
const urn = 'urn:aa:device:acme:roof1'
const aSensor = (isSilent: boolean, lastSeenMs = startMs) => ({ deviceUrn: urn, lastSeenMs, isSilent })

describe('the life of an alert', () => {
  test('it is raised after three updates, updated each second while it is active, and ended when both are apart', () => {
    const { changes } = run({ seconds: 80, tracksAt: headOn })

    const states = changes.map(({ alert }) => alert.state)
    expect(changes[0]).toMatchObject({ alert: { id: 'a1', state: 'active', endedAt: null } })
    expect(states.indexOf('ended')).toBe(states.length - 1)
    const seconds = changes.map(({ second }) => second)
    expect(seconds).toEqual(
      [...seconds.keys()]
        .map((index) => index + (seconds[0] ?? 0))
        .slice(0, -5)
        .concat(seconds.slice(-5)),
    )
    // 1,219 m × 1.1 behind the closest approach at second 50 is second 55.6; 5 s later it ends.
    expect(changes.at(-1)).toMatchObject({
      second: expect.toSatisfy((second: number) => second >= 60 && second <= 61),
      alert: { text: 'FIN5LA and SAS12 passed within 0 m and 0 m of altitude and are no longer in conflict' },
    })
    expect(changes.at(-1)?.alert.endedAt).toBe(changes.at(-1)?.alert.updatedAt)
  })

  test('it is raised at once if separation is lost within 15 s', () => {
    const late = flying({ velocity: [120, 0] }, { east: 4_000, velocity: [-120, 0] })
    expect(run({ seconds: 5, tracksAt: late }).raised[0]?.second).toBe(0)
  })

  test('a prediction that holds for two updates only raises none', () => {
    const tracksAt = (timeMs: number) => {
      const flickers = (timeMs - startMs) / 1_000 < 2
      return flying(
        { velocity: [120, 0], up: 3_000 },
        { east: 8_500, velocity: [-120, 0], up: flickers ? 3_000 : 4_000 },
      )(timeMs)
    }
    expect(run({ seconds: 20, tracksAt }).raised).toEqual([])
  })

  test('distances that move around the limit raise one alert, not many', () => {
    const tracksAt = (timeMs: number) => {
      const isNear = Math.floor((timeMs - startMs) / 4_000) % 2 === 0
      return flying({ velocity: [120, 0] }, { north: isNear ? 1_200 : 1_240, velocity: [120, 0] })(timeMs)
    }
    const { raised, alerts } = run({ separation: 'well-clear', seconds: 120, tracksAt })
    expect(raised).toHaveLength(1)
    expect(alerts.list()[0]?.state).toBe('active')
  })

  test('it ends when one of its tracks is gone', () => {
    const tracksAt = (timeMs: number) => headOn(timeMs).slice(0, timeMs - startMs > 30_000 ? 1 : 2)
    const { alerts } = run({ seconds: 40, tracksAt })
    expect(alerts.list()).toMatchObject([
      { state: 'ended', text: 'FIN5LA and SAS12 are no longer predicted to come too close' },
    ])
  })

  test('it is listed for an hour after its end, behind the active ones', () => {
    const alerts = createAlerts()
    const update = (second: number, isSilent: boolean, tracks: Track[] = []) =>
      alerts.update(startMs + second * 1_000, { tracks, sensors: [aSensor(isSilent)] })
    update(0, true)
    update(1, false)
    update(2, true)
    expect(alerts.list().map(({ id, state }) => [id, state])).toEqual([
      ['a2', 'active'],
      ['a1', 'ended'],
    ])

    update(3_600, true)
    expect(alerts.list()).toHaveLength(2)
    update(3_601, true)
    expect(alerts.list().map(({ id }) => id)).toEqual(['a2'])
  })

  test('a flood of alerts is raised in portions up to 1,000, the others are counted, and the active ones stay', () => {
    const alerts = createAlerts()
    const sensors = (silent: (index: number) => boolean) =>
      Array.from({ length: 1_500 }, (_, index) => ({
        deviceUrn: `urn:aa:device:acme:s${index}`,
        lastSeenMs: startMs,
        isSilent: silent(index),
      }))
    const counts = [0, 1, 2, 3, 4].map((second) => {
      alerts.update(startMs + second * 1_000, { tracks: [], sensors: sensors(() => true) })
      return [alerts.list().length, alerts.counts().more]
    })
    expect(counts).toEqual([
      [250, 1_250],
      [500, 1_000],
      [750, 750],
      [1_000, 500],
      [1_000, 500],
    ])

    for (let second = 5; second < 20; second++) {
      alerts.update(startMs + second * 1_000, { tracks: [], sensors: sensors((index) => (index + second) % 3 > 0) })
    }
    expect(alerts.list().length).toBeLessThanOrEqual(1_000)
    expect(alerts.list().filter(({ state }) => state === 'active').length).toBeGreaterThan(0)
  })

  test('its end is among the changes also while 1,000 others are active', () => {
    const alerts = createAlerts()
    const update = (second: number, from: number) => {
      const numbers = Array.from({ length: 1_000 }, (_, index) => from + index)
      const sensors = numbers.map((number) => ({ deviceUrn: `urn:s${number}`, lastSeenMs: startMs, isSilent: true }))
      alerts.update(startMs + second * 1_000, { tracks: [], sensors })
    }
    for (let second = 0; second < 4; second++) update(second, 0)
    alerts.takeChanges()

    for (let second = 4; second < 8; second++) update(second, 250)

    const ended = alerts.takeChanges().filter(({ state }) => state === 'ended')
    expect(ended).toHaveLength(250)
    expect(alerts.list()).toHaveLength(1_000)
  })
})

describe('changes', () => {
  test('an alert that changed twice is taken once, as it is now', () => {
    const alerts = createAlerts()
    alerts.update(startMs, { tracks: [], sensors: [aSensor(true)] })
    alerts.update(startMs + 1_000, { tracks: [], sensors: [aSensor(false)] })
    expect(alerts.takeChanges()).toMatchObject([{ id: 'a1', state: 'ended' }])
    expect(alerts.takeChanges()).toEqual([])
  })

  test('an alert about which nothing changed is not taken again', () => {
    const { changes } = run({ seconds: 30, tracksAt: () => [], sensorsAt: () => [aSensor(true)] })
    expect(changes).toHaveLength(1)
  })
})

describe('a snapshot', () => {
  test('continues with the same alerts as without it, at any second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 110 }), (cutSecond) => {
        const tracksAt = (timeMs: number) => [
          ...headOn(timeMs),
          ...flying(
            { id: 'f1', east: 50_000, velocity: [70, 0] },
            { id: 'f2', east: 50_000, north: 100, velocity: [70, 0] },
          )(timeMs),
          withIcao(aTrack({ id: 'i1', east: -50_000 }, timeMs)),
          withIcao(aTrack({ id: 'i2', east: -90_000 }, timeMs)),
        ]
        const sensorsAt = (timeMs: number) => [aSensor((timeMs - startMs) % 40_000 > 20_000)]
        const whole = run({ seconds: 120, tracksAt, sensorsAt }).alerts
        const before = run({ seconds: cutSecond, tracksAt, sensorsAt }).alerts
        const after = createAlerts({ snapshot: JSON.parse(JSON.stringify(before.snapshot())) })
        for (let second = cutSecond + 1; second <= 120; second++) {
          const nowMs = startMs + second * 1_000
          after.update(nowMs, { tracks: tracksAt(nowMs).reverse(), sensors: sensorsAt(nowMs) })
          after.takeChanges()
        }
        expect(after.list()).toEqual(whole.list())
        expect(after.snapshot().book).toEqual(whole.snapshot().book)
      }),
      { numRuns: 4 },
    )
  })

  test('keeps the areas, and the changes that nobody took', () => {
    const alerts = createAlerts()
    alerts.setAreas({ type: 'FeatureCollection', features: [] })
    alerts.update(startMs, { tracks: [], sensors: [aSensor(true)] })
    const restored = createAlerts({ snapshot: alerts.snapshot() })
    expect(restored.takeChanges()).toMatchObject([{ id: 'a1' }])
    expect(restored.snapshot().areas).toEqual({ type: 'FeatureCollection', features: [] })
  })
})

test('a sensor that fell silent is raised, and ended when it reports again', () => {
  const { changes } = run({
    seconds: 20,
    tracksAt: () => [],
    sensorsAt: (timeMs) => [aSensor(timeMs - startMs >= 5_000 && timeMs - startMs < 12_000)],
  })
  expect(changes).toMatchObject([
    {
      second: 5,
      alert: {
        kind: 'silentSensor',
        text: 'The sensor roof1 sends no reports',
        silentSensor: { deviceId: urn, lastSeen: '2026-01-07T12:00:00.000Z' },
      },
    },
    { second: 12, alert: { state: 'ended', text: 'The sensor roof1 is no longer silent' } },
  ])
})

const withIcao = (track: Track): Track => ({ ...track, identifiers: [{ kind: 'ICAO', id: '461E1C', type: 'icao24' }] })

describe('one identifier in two places', () => {
  const twoPlaces = (apartMetres: number, change: (track: Track) => Track = withIcao) => {
    const tracksAt = (timeMs: number) =>
      flying({ velocity: [200, 0] }, { east: apartMetres, velocity: [200, 0] })(timeMs).map(change)
    const { raised, alerts } = run({ seconds: 10, tracksAt })
    return { found: raised.filter(({ alert }) => alert.kind === 'identityConflict'), alerts }
  }

  test('is raised with both tracks and their distance, when it held for three updates', () => {
    expect(twoPlaces(40_000).found).toMatchObject([
      {
        second: 2,
        alert: {
          text: '461E1C (t1) and 461E1C (t2) both have the ICAO 461E1C and are 40 km apart',
          identityConflict: {
            identifier: { id: '461E1C', type: 'icao24' },
            trackIds: ['t1', 't2'],
            distanceMetres: expect.toSatisfy((metres: number) => Math.abs(metres - 40_000) < 100),
          },
        },
      },
    ])
  })

  test('is not raised for a distance that their errors explain', () => {
    expect(twoPlaces(800).found).toEqual([])
    expect(twoPlaces(2_000, (track) => ({ ...withIcao(track), accuracyMetres: 300 })).found).toEqual([])
  })

  test('is not raised for call signs, which repeat', () => {
    const named = (track: Track): Track => ({ ...track, identifiers: [{ kind: 'CallSign', id: 'FIN1' }] })
    expect(twoPlaces(40_000, named).found).toEqual([])
  })

  test('is raised for 100 pairs of one identifier at most', () => {
    const flights = Array.from({ length: 300 }, (_, index) => ({ east: index * 10_000 }))
    const { alerts } = run({ seconds: 5, tracksAt: (timeMs) => flying(...flights)(timeMs).map(withIcao) })
    expect(alerts.list()).toHaveLength(100)
    expect(alerts.counts().more).toBe(0)
  })

  test('is not raised for a track that was last received some time ago', () => {
    const old = (track: Track): Track =>
      withIcao(track.id === 't2' ? { ...track, state: 'coasting', receivedAtMs: track.receivedAtMs - 20_000 } : track)
    expect(twoPlaces(40_000, old).found).toEqual([])
  })
})

test('tracks whose estimates are more than a minute old are left out', () => {
  const tracksAt = (timeMs: number) => headOn(timeMs).map((track) => ({ ...track, timeMs: timeMs - 61_000 }))
  expect(run({ seconds: 60, tracksAt }).raised).toEqual([])
})

test('drawn in any order, tracks get the same alerts', () => {
  const listOf = (order: (tracks: Track[]) => Track[]) => {
    const all = flying(
      { velocity: [120, 0] },
      { east: 4_000, velocity: [-120, 0] },
      { north: 30_000, velocity: [120, 0] },
      { north: 30_000, east: 4_000, velocity: [-120, 0] },
    )
    return run({ seconds: 3, tracksAt: (timeMs) => order(all(timeMs)) }).alerts.list()
  }
  const forward: ReturnType<Alerts['list']> = listOf((tracks) => tracks)
  expect(forward).toHaveLength(2)
  expect(listOf((tracks) => tracks.reverse())).toEqual(forward)
})
