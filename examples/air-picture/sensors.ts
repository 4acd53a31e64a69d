/**
 * Two sensors in one program: a receiver that hears who an aircraft is, and a radar that only measures where something
 * is. An aircraft and a drone fly towards each other over a lake; the radar sees both, the receiver hears the aircraft.
 * In: nothing; the flights are computed. Out: reports once a second, until the program is stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientCredentials, createAgent } from '@posrep/sensor-agent'

const { POSREP_ORIGIN = 'https://localhost:8443' } = process.env
const origin = new URL(POSREP_ORIGIN)
/** The flights meet here after 70 s, at the same height. */
const meeting = { lat: 60.9, lon: 25.9 }
const meetingSeconds = 70

const receiver = startAgent('roof2')
const radar = startAgent('radar2')
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())

const startMs = Date.now()
while (!stopping.signal.aborted) {
  const at = new Date()
  const seconds = (at.getTime() - startMs) / 1_000 - meetingSeconds
  await receiver.report({
    ...fly('aircraft', 50, seconds, 10, at),
    target: {
      type: 'aa:target:aircraft',
      ids: [
        { id: 'F00001', type: 'ICAO' },
        { id: 'EXAMPLE1', type: 'CallSign' },
      ],
    },
  })
  await radar.report([
    { ...fly('plot-1', 50, seconds, 25, at), target: { sourceId: '1' } },
    { ...fly('plot-2', -12, seconds, 25, at), target: { sourceId: '2', type: 'aa:target:drone' } },
  ])
  await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {}) // stopped
}
await Promise.all([receiver.close(), radar.close()])

function startAgent(sensor: string) {
  const tokens = clientCredentials({
    authOrigin: origin,
    clientId: 'demo-fleet',
    clientSecret: 'demo-fleet-secret',
    localId: sensor,
  })
  return createAgent({ ingestOrigin: origin, sensor, tokens })
}

/** A flight along the parallel of the meeting, measured with an error of about `accuracy` metres. */
function fly(name: string, metresPerSecond: number, seconds: number, accuracy: number, at: Date) {
  const metresPerDegree = 111_320
  const error = () => ((Math.random() + Math.random() - 1) * accuracy) / metresPerDegree
  const east = (metresPerSecond * seconds) / (metresPerDegree * Math.cos((meeting.lat * Math.PI) / 180))
  return {
    id: `${name}-${at.getTime()}`,
    sourceTimeStamp: at.toISOString(),
    position: { lat: meeting.lat + error(), lon: meeting.lon + east + error(), accuracy },
    altitudes: [{ height: 180, datum: 'wgs84' as const, accuracy: 15 }],
    groundVelocity: { x: metresPerSecond, y: 0, z: 0 },
    onGround: false,
  }
}
