import { describe, expect, test } from 'vitest'
import { createAlerts } from '../../../src/alerts/alerts.ts'
import { offsetBetween } from '../../../src/alerts/local-plane.ts'
import type { SeparationSetting } from '../../../src/alerts/separation.ts'
import type { Track } from '../../../src/track/track.ts'
import { aTrack } from '../a-track.ts'
import { lines, velocityOf } from './monterey.ts'

/** Each aircraft as its latest line has it, with the latest vertical rate. */
function trackAt(hex: string, nowMs: number): Track | undefined {
  const before = lines.filter((line) => line.hex === hex && line.timeMs <= nowMs)
  const latest = before.at(-1)
  if (!latest) return undefined
  const { timeMs, lat, lon, heightMetres } = latest
  return aTrack({
    id: hex,
    up: null,
    track: {
      timeMs,
      receivedAtMs: timeMs,
      latDegrees: lat,
      lonDegrees: lon,
      velocity: { ...velocityOf(latest), accuracyMetresPerSecond: 1 },
      upMetresPerSecond: before.findLast(({ climb }) => climb !== undefined)?.climb ?? 0,
      altitudes: [{ datum: 'bar', heightMetres, provenance: 'given' }],
    },
  })
}

/** Between the lines before and after, straight. */
function interpolate(hex: string, timeMs: number) {
  const own = lines.filter((line) => line.hex === hex)
  const at = own.findIndex((line) => line.timeMs > timeMs)
  const [a, b] = [own[at - 1], own[at]]
  if (!a || !b) return undefined
  const part = (timeMs - a.timeMs) / (b.timeMs - a.timeMs)
  const between = (from: number, to: number) => from + (to - from) * part
  return {
    latDegrees: between(a.lat, b.lat),
    lonDegrees: between(a.lon, b.lon),
    heightMetres: between(a.heightMetres, b.heightMetres),
  }
}

/** The smallest horizontal distance by interpolation, each tenth of a second. */
function closestByInterpolation(one: string, other: string, from: string, to: string) {
  let closest = { timeMs: 0, horizontalMetres: Number.POSITIVE_INFINITY, verticalMetres: 0 }
  for (let timeMs = Date.parse(from); timeMs <= Date.parse(to); timeMs += 100) {
    const [a, b] = [interpolate(one, timeMs), interpolate(other, timeMs)]
    if (!a || !b) continue
    const { eastMetres, northMetres } = offsetBetween(a, b)
    const horizontalMetres = Math.hypot(eastMetres, northMetres)
    if (horizontalMetres >= closest.horizontalMetres) continue
    closest = { timeMs, horizontalMetres, verticalMetres: Math.abs(a.heightMetres - b.heightMetres) }
  }
  return closest
}

function watch(one: string, other: string, from: string, to: string, separation: SeparationSetting) {
  const alerts = createAlerts({ separation })
  const seen: ReturnType<typeof alerts.list> = []
  for (let nowMs = Date.parse(from); nowMs <= Date.parse(to); nowMs += 1_000) {
    const tracks = [trackAt(one, nowMs), trackAt(other, nowMs)].filter((track) => track !== undefined)
    alerts.update(nowMs, { tracks, sensors: [] })
    seen.push(...alerts.takeChanges())
  }
  return seen.filter(({ kind }) => kind === 'conflict')
}
describe('a recorded near encounter', () => {
  test('of crossing aircraft is found half a minute before, at the distance and time of the interpolation', () => {
    const [from, to] = ['2025-06-01T21:11:30Z', '2025-06-01T21:15:00Z']
    const expected = closestByInterpolation('a4ff9c', 'a7dbd2', from, to)
    // 278 m and 107 m at 21:13:21.6.
    expect(new Date(expected.timeMs).toISOString()).toBe('2025-06-01T21:13:21.600Z')

    const alerts = watch('a4ff9c', 'a7dbd2', from, to, 'automatic')
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(1)
    const first = alerts[0]
    expect((expected.timeMs - Date.parse(first?.raisedAt ?? '')) / 1_000).toBeGreaterThan(25)
    // Straight ahead half a minute before; both turn a little after that.
    expect(Math.abs(Date.parse(first?.conflict?.closestAt ?? '') - expected.timeMs)).toBeLessThan(5_000)

    const last = alerts.at(-1)
    expect(last?.state).toBe('ended')
    expect(Math.abs(Date.parse(last?.conflict?.closestAt ?? '') - expected.timeMs)).toBeLessThan(1_000)
    expect(Math.abs((last?.conflict?.horizontalMetres ?? 0) - expected.horizontalMetres)).toBeLessThan(5)
    expect(Math.abs((last?.conflict?.verticalMetres ?? 0) - expected.verticalMetres)).toBeLessThan(5)
  })

  test.each<SeparationSetting>(['automatic', 'near-mid-air'])(
    'of aircraft that join a formation is found by the preset %s, at the distance of the interpolation',
    (separation) => {
      const [from, to] = ['2025-06-01T22:44:00Z', '2025-06-01T22:49:30Z']
      const expected = closestByInterpolation('aa0415', 'ab0a19', from, to)
      // 38 m and 9 m at 22:46:53; for 30 s they are not further than 60 m apart.
      expect(expected.horizontalMetres).toBeLessThan(40)

      const last = watch('aa0415', 'ab0a19', from, to, separation).find(({ state }) => state === 'ended')
      // The lines of one of them are 10 s apart, over which it is predicted.
      expect(Math.abs((last?.conflict?.horizontalMetres ?? 0) - expected.horizontalMetres)).toBeLessThan(15)
      expect(Math.abs((last?.conflict?.verticalMetres ?? 0) - expected.verticalMetres)).toBeLessThan(15)
      expect(Math.abs(Date.parse(last?.conflict?.closestAt ?? '') - expected.timeMs)).toBeLessThan(15_000)
    },
  )

  test('of aircraft that join a formation is no alert with the preset of formations', () => {
    expect(watch('aa0415', 'ab0a19', '2025-06-01T22:44:00Z', '2025-06-01T22:49:30Z', 'formation')).toEqual([])
  })
})
