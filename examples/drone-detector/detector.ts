/**
 * A radar that detects drones, as far as the service can see: it measures distance, bearing and elevation, and writes
 * one position per line, which `posrep-agent run --stdin` reports.
 * In: nothing; the measurements are computed. Out: NDJSON on standard output, DETECTIONS lines, one per second and
 * drone.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const { DETECTIONS = '10', INTERVAL_MS = '1000' } = process.env

/** Where the radar stands; its height is above the WGS84 ellipsoid. */
const radar = { lat: 60.3172, lon: 24.9633, heightMetres: 70 }

interface Measurement {
  track: number
  distanceMetres: number
  bearingDegrees: number
  elevationDegrees: number
  speed: number
  courseDegrees: number
}

for (let second = 0; second < Number(DETECTIONS); second += 1) {
  console.log(JSON.stringify(toPosition(measure(second), new Date())))
  await sleep(Number(INTERVAL_MS))
}

/** A drone that flies away from the radar to the north-east at 12 m/s. */
function measure(second: number): Measurement {
  const distanceMetres = 400 + 12 * second
  return { track: 17, distanceMetres, bearingDegrees: 45, elevationDegrees: 8, speed: 12, courseDegrees: 45 }
}

/** Radar coordinates become latitude and longitude; a few kilometres are flat enough. */
function toPosition(
  { track, distanceMetres, bearingDegrees, elevationDegrees, speed, courseDegrees }: Measurement,
  at: Date,
) {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const ground = distanceMetres * Math.cos(radians(elevationDegrees))
  const north = ground * Math.cos(radians(bearingDegrees))
  const east = ground * Math.sin(radians(bearingDegrees))
  return {
    id: `radar1-${track}-${at.getTime()}`,
    sourceTimeStamp: at.toISOString(),
    target: {
      sourceId: String(track),
      type: 'aa:target:drone',
      confidence: 85,
      // The radar knows no serial number: its own track number identifies the drone.
      ids: [{ id: `radar1-${track}`, type: 'TrackNumber' }],
    },
    position: {
      lat: radar.lat + north / 111_320,
      lon: radar.lon + east / (111_320 * Math.cos(radians(radar.lat))),
      accuracy: 15,
      source: 'radar',
    },
    altitudes: [
      {
        height: radar.heightMetres + distanceMetres * Math.sin(radians(elevationDegrees)),
        datum: 'wgs84',
        accuracy: 20,
      },
    ],
    groundVelocity: { x: speed * Math.sin(radians(courseDegrees)), y: speed * Math.cos(radians(courseDegrees)), z: 0 },
    onGround: false,
  }
}
