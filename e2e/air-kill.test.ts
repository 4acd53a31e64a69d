/** The air picture of a server that is killed in mid-stream is the same as that of a server that is not. */
import { type AirTrack, createAir } from '@posrep/client-sdk/air'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSensor, type Sensor } from './a-sensor.ts'
import { aUser } from './a-user.ts'
import { seedWith } from './seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from './server-process.ts'
import { trust } from './trust.ts'
import { until } from './until.ts'

const sensors = ['roof1', 'roof2']
const reportsEach = 40
const killAfter = 20
const targets = 12

interface Party {
  location: ServerLocation
  server: ServerProcess
  sensors: Sensor[]
}

let killed: Party
let spared: Party

beforeAll(async () => {
  ;[killed, spared] = await Promise.all([aParty(), aParty()])
}, 60_000)
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

/** What the sensor reports in this second of the flights: each target flies straight on; the second sensor knows no identities. */
function reportOf(sensor: number, second: number, startMs: number): string {
  const positions = Array.from({ length: targets }, (_, target) => ({
    id: `${sensor}-${target}-${second}`,
    sourceTimeStamp: new Date(startMs + second * 1_000 + sensor * 300).toISOString(),
    target: sensor === 0 ? { ids: [{ id: `F000${16 + target}`, type: 'ICAO' }] } : { sourceId: String(target) },
    position: { lat: 60 + target * 0.1, lon: 24 + (second + sensor * 0.3) * 0.002, accuracy: 20 },
    altitudes: [{ height: 1_000 + 100 * target, datum: 'wgs84', accuracy: 20 }],
    groundVelocity: { x: 111.2, y: 0, z: 0 },
    onGround: false,
  }))
  return JSON.stringify({ positions })
}

async function readTracks({ server }: Party): Promise<AirTrack[]> {
  return (await createAir(await aUser(server)).listAirTracks()).data
}

/** What does not depend on when each of the two servers received a report, which differs by milliseconds. */
function toComparable({ id, state, identifiers, position, altitudes, groundVelocity, sensors, positions }: AirTrack) {
  return {
    id,
    state,
    identifiers,
    lat: position.lat.toFixed(3),
    lon: position.lon.toFixed(3),
    altitudes: altitudes.map(({ datum, height }) => `${datum} ${height.toFixed(0)}`),
    speed: Math.round(Math.hypot(groundVelocity?.x ?? 0, groundVelocity?.y ?? 0)),
    sensors: sensors.map(({ deviceId, sourceId, positions: of }) => `${deviceId} ${sourceId} ${of}`).sort(),
    positions,
  }
}

test('after kill -9 in mid-stream and a restart, the air picture is the same as without it', async () => {
  const startMs = Date.now() - reportsEach * 1_000
  for (let second = 0; second < reportsEach; second++) {
    if (second === killAfter) {
      await killed.server.kill()
      killed.server = await startServer(killed.location)
      killed.sensors = await connect(killed.server)
    }
    for (const party of [killed, spared]) {
      for (const [index, sensor] of party.sensors.entries()) {
        const answer = await sensor.submit(reportOf(index, second, startMs))
        expect(answer.status, answer.body).toBe(202)
      }
    }
  }
  const all = sensors.length * reportsEach
  const isCaughtUp = async (party: Party) => {
    const tracks = await readTracks(party)
    return tracks.length >= targets && tracks.every(({ positions }) => positions === all)
  }
  await until('both pictures have all positions', async () => (await isCaughtUp(killed)) && (await isCaughtUp(spared)))

  const [after, without] = [await readTracks(killed), await readTracks(spared)]

  expect(without).toHaveLength(targets)
  expect(without.every((track) => track.sensors.length === 2)).toBe(true)
  expect(after.map(toComparable)).toEqual(without.map(toComparable))
  // The clocks of the sensors are estimated from when their reports were received.
  for (const [index, { time }] of after.entries()) {
    expect(Math.abs(Date.parse(time) - Date.parse(without[index]?.time ?? ''))).toBeLessThan(500)
  }
}, 120_000)
