import { expect, test } from 'vitest'
import { createTracker } from '../../src/tracker/create-tracker.ts'
import { anAircraft, aReport, roof1, roof2, take } from './a-flight.ts'

const startMs = Date.UTC(2026, 0, 7, 12, 0, 0)

/** Two sensors that see two aircraft for `seconds`; the report of second `n` has seq `n + 1`. */
function* traffic(seconds: number) {
  for (let n = 0; n < seconds; n++) {
    const atMs = startMs + n * 1_000
    const positions = [anAircraft('461F9C', atMs - 300), anAircraft('ABCDEF', atMs - 300)]
    yield aReport(roof1, n + 1, atMs, positions)
    yield aReport(roof2, n + 1, atMs + 200, positions)
  }
}

test('a tracker that continues from a snapshot is the same as without it', () => {
  const without = createTracker()
  let within = createTracker()

  for (const report of traffic(60)) {
    take(without, report, report.receivedAtMs)
    take(within, report, report.receivedAtMs)
    within = createTracker({ snapshot: JSON.parse(JSON.stringify(within.snapshot())) })
  }

  expect(JSON.stringify(within.whole())).toBe(JSON.stringify(without.whole()))
  expect(without.whole().tracks).toHaveLength(2)
})

test('a report that is repeated changes nothing', () => {
  const tracker = createTracker()
  for (const report of traffic(10)) take(tracker, report)
  const before = tracker.whole()

  for (const report of traffic(10)) expect(take(tracker, report, startMs + 9_200)).toBe(0)

  expect(tracker.whole()).toEqual(before)
})

test('seconds that passed without entries give the same tracker as those between entries', () => {
  const live = createTracker()
  const repeated = createTracker()
  const first = aReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)])
  const second = aReport(roof1, 2, startMs + 90_000, [])
  take(live, first, startMs)
  take(repeated, first, startMs)

  for (let atMs = startMs; atMs < startMs + 90_000; atMs += 200) live.advance(atMs)
  take(live, second, startMs + 90_000)
  take(repeated, second, startMs + 90_000)

  expect(JSON.stringify(live.snapshot())).toBe(JSON.stringify(repeated.snapshot()))
})

test('a track without positions ends, and the tracker rests eleven minutes after the last report', () => {
  const tracker = createTracker()
  take(tracker, aReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)]), startMs)
  expect(tracker.counts().targets).toBe(1)
  expect(tracker.isResting()).toBe(false)

  tracker.advance(startMs + 11 * 60_000)
  expect(tracker.counts().targets).toBe(0)
  expect(tracker.isResting()).toBe(true)
})

test('a sensor is silent when nothing comes for several of its usual intervals, and an alert says so', () => {
  const tracker = createTracker()
  for (const report of traffic(30)) take(tracker, report)
  expect(tracker.whole().sensors.map(({ state }) => state)).toEqual(['live', 'live'])

  tracker.advance(startMs + 60_000)
  expect(tracker.sensors().map(({ state }) => state)).toEqual(['silent', 'silent'])
  expect(tracker.whole().alerts.map(({ kind }) => kind)).toContain('silentSensor')
})

test('an alert says that the only sensor of an account is silent, also one that reports every five minutes', () => {
  const tracker = createTracker()
  for (const n of [0, 1, 2]) {
    const atMs = startMs + n * 300_000
    take(tracker, aReport(roof1, n + 1, atMs, [anAircraft('461F9C', atMs)]), atMs)
  }

  tracker.advance(startMs + 600_000 + 15 * 60_000)

  expect(tracker.whole().alerts.filter(({ state }) => state === 'active')).toMatchObject([{ kind: 'silentSensor' }])
})

test('a sensor has its positions of the last minute and its median lag', () => {
  const tracker = createTracker()
  for (const report of traffic(120)) take(tracker, report)

  const [sensor] = tracker.whole().sensors
  expect(sensor?.lagSeconds).toBe(0.3)
  expect(sensor?.positionsPerMinute).toBeGreaterThanOrEqual(110)
  expect(sensor?.positionsPerMinute).toBeLessThanOrEqual(130)
})

test('two sensors of which one sends positions of 5 s ago make one track and no alert, and its lag is longer by that', () => {
  const tracker = createTracker()
  for (let n = 10; n < 70; n++) {
    const atMs = startMs + n * 1_000
    const before = anAircraft('461F9C', atMs - 5_000)
    const aged = { ...before, sourceTimeStamp: new Date(atMs).toISOString(), position: { ...before.position, age: 5 } }
    take(tracker, aReport(roof1, n + 1, atMs, [anAircraft('461F9C', atMs)]), atMs)
    take(tracker, aReport(roof2, n + 1, atMs, [aged]), atMs)
  }

  const { tracks, alerts, sensors } = tracker.whole()
  expect(tracks).toHaveLength(1)
  expect(alerts).toEqual([])
  expect(sensors.map(({ lagSeconds }) => lagSeconds)).toEqual([0, 5])
})

test('changes have what changed since the last call, and nothing when nothing did', () => {
  const tracker = createTracker()
  take(tracker, aReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)]), startMs)

  const frame = tracker.takeChanges()
  expect(frame).toMatchObject({ full: false, ended: [], sensors: [{ deviceId: roof1 }] })
  expect(frame?.tracks.map(({ identifiers }) => identifiers)).toEqual([[{ id: '461F9C', type: 'ICAO' }]])
  expect(tracker.takeChanges()).toBeUndefined()
})

test('the history has a track that ended, for ten minutes', () => {
  const tracker = createTracker()
  for (const report of traffic(60)) take(tracker, report)
  const tracks = tracker.whole().tracks.map(({ id }) => ({ id, ended: false }))
  const paths = () => tracker.history({ seconds: 600, limit: 10 }).paths
  expect(paths()).toMatchObject(tracks)

  tracker.advance(startMs + 300_000)
  expect(tracker.whole().tracks).toEqual([])
  expect(paths()).toMatchObject(tracks.map(({ id }) => ({ id, ended: true })))
  tracker.advance(startMs + 1_000_000)
  expect(paths()).toEqual([])
})
