import { expect, test } from 'vitest'
import { type AccountPicture, createAccountPicture } from '../../src/air/account/account-picture.ts'
import type { ReceivedReport } from '../../src/air/account/receptions.ts'
import { anAircraft, aReceivedReport, roof1, roof2 } from './an-air.ts'

const startMs = Date.UTC(2026, 0, 7, 12, 0, 0)
const options = { maxTargets: 1_000, separation: 'automatic', mend: (value: unknown) => ({ value }) } as const

/** Returns the number of positions that the picture took. */
function take(picture: AccountPicture, report: ReceivedReport, entryAtMs: number): number {
  const positions = picture.receive(report, entryAtMs)
  for (let taken = 0; ; taken++) if (positions.next().done) return taken
}

/** Two sensors that see two aircraft for `seconds`; the report of second `n` has seq `n + 1`. */
function* traffic(seconds: number) {
  for (let n = 0; n < seconds; n++) {
    const atMs = startMs + n * 1_000
    const positions = [anAircraft('461F9C', atMs - 300), anAircraft('ABCDEF', atMs - 300)]
    yield aReceivedReport(roof1, n + 1, atMs, positions)
    yield aReceivedReport(roof2, n + 1, atMs + 200, positions)
  }
}

test('a picture that continues from a snapshot is the same as without it', () => {
  const without = createAccountPicture(options)
  let within = createAccountPicture(options)

  for (const report of traffic(60)) {
    take(without, report, report.receivedAtMs)
    take(within, report, report.receivedAtMs)
    within = createAccountPicture({ ...options, snapshot: JSON.parse(JSON.stringify(within.snapshot())) })
  }

  expect(JSON.stringify(within.whole())).toBe(JSON.stringify(without.whole()))
  expect(without.whole().tracks).toHaveLength(2)
})

test('a report that is repeated changes nothing', () => {
  const picture = createAccountPicture(options)
  for (const report of traffic(10)) take(picture, report, report.receivedAtMs)
  const before = picture.whole()

  for (const report of traffic(10)) expect(take(picture, report, startMs + 9_200)).toBe(0)

  expect(picture.whole()).toEqual(before)
})

test('positions that the device has reported before are not taken', () => {
  const picture = createAccountPicture(options)
  const report = aReceivedReport(roof1, 1, startMs, [anAircraft('461F9C', startMs), anAircraft('ABCDEF', startMs)])

  expect(take(picture, { ...report, duplicates: [1] }, startMs)).toBe(1)
})

test('seconds that passed without entries give the same picture as those between entries', () => {
  const live = createAccountPicture(options)
  const repeated = createAccountPicture(options)
  const first = aReceivedReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)])
  const second = aReceivedReport(roof1, 2, startMs + 90_000, [])
  take(live, first, startMs)
  take(repeated, first, startMs)

  for (let atMs = startMs; atMs < startMs + 90_000; atMs += 200) live.advance(atMs)
  take(live, second, startMs + 90_000)
  take(repeated, second, startMs + 90_000)

  expect(JSON.stringify(live.snapshot())).toBe(JSON.stringify(repeated.snapshot()))
})

test('a track without positions ends, and the picture rests eleven minutes after the last report', () => {
  const picture = createAccountPicture(options)
  take(picture, aReceivedReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)]), startMs)
  expect(picture.counts().targets).toBe(1)
  expect(picture.isResting()).toBe(false)

  picture.advance(startMs + 11 * 60_000)
  expect(picture.counts().targets).toBe(0)
  expect(picture.isResting()).toBe(true)
})

test('a sensor is silent when nothing comes for several of its usual intervals, and an alert says so', () => {
  const picture = createAccountPicture(options)
  for (const report of traffic(30)) take(picture, report, report.receivedAtMs)
  expect(picture.whole().sensors.map(({ state }) => state)).toEqual(['live', 'live'])

  picture.advance(startMs + 60_000)
  expect(picture.silentSensors()).toEqual([roof1, roof2])
  expect(picture.whole().alerts.map(({ kind }) => kind)).toContain('silentSensor')
})

test('an alert says that the only sensor of an account is silent, also one that reports every five minutes', () => {
  const picture = createAccountPicture(options)
  for (const n of [0, 1, 2]) {
    const atMs = startMs + n * 300_000
    take(picture, aReceivedReport(roof1, n + 1, atMs, [anAircraft('461F9C', atMs)]), atMs)
  }

  picture.advance(startMs + 600_000 + 15 * 60_000)

  expect(picture.whole().alerts.filter(({ state }) => state === 'active')).toMatchObject([{ kind: 'silentSensor' }])
})

test('a sensor has its positions of the last minute and its median lag', () => {
  const picture = createAccountPicture(options)
  for (const report of traffic(120)) take(picture, report, report.receivedAtMs)

  const [sensor] = picture.whole().sensors
  expect(sensor?.lagSeconds).toBe(0.3)
  expect(sensor?.positionsPerMinute).toBeGreaterThanOrEqual(110)
  expect(sensor?.positionsPerMinute).toBeLessThanOrEqual(130)
})

test('two sensors of which one sends positions of 5 s ago make one track and no alert, and its lag is longer by that', () => {
  const picture = createAccountPicture(options)
  for (let n = 10; n < 70; n++) {
    const atMs = startMs + n * 1_000
    const before = anAircraft('461F9C', atMs - 5_000)
    const aged = { ...before, sourceTimeStamp: new Date(atMs).toISOString(), position: { ...before.position, age: 5 } }
    take(picture, aReceivedReport(roof1, n + 1, atMs, [anAircraft('461F9C', atMs)]), atMs)
    take(picture, aReceivedReport(roof2, n + 1, atMs, [aged]), atMs)
  }

  const { tracks, alerts, sensors } = picture.whole()
  expect(tracks).toHaveLength(1)
  expect(alerts).toEqual([])
  expect(sensors.map(({ lagSeconds }) => lagSeconds)).toEqual([0, 5])
})

test('changes have what changed since the last call, and nothing when nothing did', () => {
  const picture = createAccountPicture(options)
  take(picture, aReceivedReport(roof1, 1, startMs, [anAircraft('461F9C', startMs)]), startMs)

  const frame = picture.takeChanges()
  expect(frame).toMatchObject({ full: false, ended: [], sensors: [{ deviceId: roof1 }] })
  expect(frame?.tracks.map(({ identifiers }) => identifiers)).toEqual([[{ id: '461F9C', type: 'ICAO' }]])
  expect(picture.takeChanges()).toBeUndefined()
})

test('the history has a track that ended, for ten minutes', () => {
  const picture = createAccountPicture(options)
  for (const report of traffic(60)) take(picture, report, report.receivedAtMs)
  const tracks = picture.whole().tracks.map(({ id }) => ({ id, ended: false }))
  const paths = () => picture.history({ seconds: 600, limit: 10 }).paths.map((text) => JSON.parse(text))
  expect(paths()).toMatchObject(tracks)

  picture.advance(startMs + 300_000)
  expect(picture.whole().tracks).toEqual([])
  expect(paths()).toMatchObject(tracks.map(({ id }) => ({ id, ended: true })))
  picture.advance(startMs + 1_000_000)
  expect(paths()).toEqual([])
})
