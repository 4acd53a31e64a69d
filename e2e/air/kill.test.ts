/**
 * The air picture of a server that is killed in mid-stream, after a snapshot, is the same as that of a server that is
 * not.
 */
import { type AirCalls, type AirTrack, createAir } from '@posrep/client-sdk/air'
import type { AirAlert } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentTimeMs, until } from '../../testing/real-time.ts'
import { aSensor, type Sensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { seedWith } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const sensors = ['roof1', 'roof2']
const targets = 12
/** Reports of each sensor after the snapshot and before the kill, and after the restart. */
const reportsBetween = 4
const reportsAfter = 10
/** Both servers receive a report in the same second, as the pictures go on with each whole second. */
const reportAtMs = 200
const firstLon = 24
/** M/s, to the east. */
const speed = 111.2
/** Between the first two: closer than the limits, and no formation. They stay so, however long the machine takes. */
const apartMetres = 800
/** A degree of longitude at 60 degrees. */
const metresPerLon = 55_660

interface Party {
  location: ServerLocation
  server: ServerProcess
  sensors: Sensor[]
}

let killed: Party
let spared: Party
let lastMs = 0
/** Of each sensor. */
let reports = 0

beforeAll(async () => {
  ;[killed, spared] = await Promise.all([aParty(), aParty()])
})
afterAll(async () => {
  for (const party of [killed, spared]) {
    for (const sensor of party.sensors) sensor.close()
    await party.server.kill()
    await party.location.remove()
  }
})

async function aParty(): Promise<Party> {
  const location = await aServerLocation(seedWith(sensors.length))
  const server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  return { location, server, sensors: await connect(server) }
}

function connect({ ready, certificate: { ca } }: ServerProcess): Promise<Sensor[]> {
  return Promise.all(sensors.map((localId) => aSensor({ origin: ready.origin, ca, localId })))
}

/**
 * What the sensor reports at this time: each target flies straight on, the second before the first; the second sensor
 * knows no identities.
 */
function reportOf(sensor: number, timeMs: number, startMs: number): string {
  const positions = Array.from({ length: targets }, (_, target) => {
    const eastMetres = (target === 1 ? apartMetres : 0) + (speed * (timeMs - startMs)) / 1_000
    return {
      id: `${sensor}-${target}-${timeMs}`,
      sourceTimeStamp: new Date(timeMs).toISOString(),
      target: sensor === 0 ? { ids: [{ id: `F000${16 + target}`, type: 'ICAO' }] } : { sourceId: String(target) },
      position: {
        lat: 60 + (target < 2 ? 0 : target * 0.1),
        lon: firstLon + eastMetres / metresPerLon,
        accuracy: 20,
      },
      altitudes: [{ height: target < 2 ? 1_000 : 1_000 + 100 * target, datum: 'wgs84', accuracy: 20 }],
      groundVelocity: { x: speed, y: 0, z: 0 },
      onGround: false,
    }
  })
  return JSON.stringify({ positions })
}

/** Reports of both sensors to both servers, in this second. */
async function report(startMs: number): Promise<void> {
  await until('the next second', () => currentTimeMs() % 1_000 >= reportAtMs && currentTimeMs() - lastMs >= 800)
  lastMs = currentTimeMs()
  const secondMs = lastMs - (lastMs % 1_000)
  await Promise.all(
    [killed, spared].map(async ({ sensors: [first, second] }) => {
      // One after the other, because a track may depend on which of two positions comes first.
      for (const [index, sensor] of [first, second].entries()) {
        const answer = await sensor?.submit(reportOf(index, secondMs - index * 300, startMs))
        expect(answer?.status, answer?.body).toBe(202)
      }
    }),
  )
  reports++
}

async function hasSnapshot({ server }: Party): Promise<boolean> {
  const metrics = await (await fetch(`${server.ready.origin}/metrics`)).text()
  return /^posrep_air_snapshots_total [1-9]/m.test(metrics)
}

/** Tracks and alerts of one moment of the picture, which goes on with whole seconds. */
async function readPicture(air: AirCalls) {
  for (;;) {
    const [tracks, alerts] = await Promise.all([air.listAirTracks(), air.listAirAlerts()])
    if (tracks.time !== alerts.time) continue
    return { second: tracks.time.slice(0, -'.000Z'.length), tracks: tracks.data, alerts: alerts.data }
  }
}

/** What does not depend on the millisecond in which each of the two servers received a report. */
function toComparable({ receivedAt: _, time: __, position, sensors, ...rest }: AirTrack) {
  return {
    ...rest,
    lat: position.lat.toFixed(6),
    lon: position.lon.toFixed(6),
    sensors: sensors.map(({ deviceId, sourceId, positions }) => `${deviceId} ${sourceId} ${positions}`).sort(),
  }
}

/**
 * What does not depend on the second in which each of the two servers received a report, or on how long one was away:
 * it may have missed its sensors meanwhile, and what it advised before depends on when it raised the alert.
 */
function toComparableAlerts(alerts: readonly AirAlert[]) {
  return alerts
    .filter(({ state }) => state === 'active')
    .map(({ kind, conflict }) => ({
      kind,
      limits: conflict?.limits,
      tracks: conflict?.tracks.map(({ trackId }) => trackId),
      hundredMetres: Math.round((conflict?.horizontalMetres ?? Number.NaN) / 100),
    }))
}

test('after kill -9 in mid-stream, after a snapshot, and a restart, the air picture and its alerts are the same as without it', async () => {
  const startMs = currentTimeMs()
  while (!(await hasSnapshot(killed))) await report(startMs)
  for (let n = 0; n < reportsBetween; n++) await report(startMs)
  await killed.server.kill()
  killed.server = await startServer(killed.location)
  killed.sensors = await connect(killed.server)
  for (let n = 0; n < reportsAfter; n++) await report(startMs)

  const [airAfter, airWithout] = await Promise.all(
    [killed, spared].map(async ({ server }) => createAir(await aUser(server))),
  )
  if (!airAfter || !airWithout) throw new Error('Two servers have two pictures')
  let [after, without] = await Promise.all([readPicture(airAfter), readPicture(airWithout)])
  const all = sensors.length * reports
  const isCaughtUp = ({ tracks }: typeof after) =>
    tracks.length >= targets && tracks.every(({ positions }) => positions === all)
  await until('both pictures have all positions, in the same second', async () => {
    ;[after, without] = await Promise.all([readPicture(airAfter), readPicture(airWithout)])
    return after.second === without.second && isCaughtUp(after) && isCaughtUp(without)
  })

  expect(without.tracks).toHaveLength(targets)
  expect(without.tracks.every((track) => track.sensors.length === 2)).toBe(true)
  expect(after.tracks.map(toComparable)).toEqual(without.tracks.map(toComparable))
  const alerts = toComparableAlerts(without.alerts)
  expect(alerts.map(({ kind }) => kind)).toEqual(['conflict'])
  expect(toComparableAlerts(after.alerts)).toEqual(alerts)
})
