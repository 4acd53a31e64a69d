/** The recorded near encounters of README.md, in the toolkit's units. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Reception } from '../../../src/track/track.ts'

export interface Line {
  timeMs: number
  hex: string
  lat: number
  lon: number
  heightMetres: number
  speed: number
  trackDegrees: number
  climb: number | undefined
}

const columns: Record<string, string>[] = parse(
  readFileSync(new URL('monterey-2025-06-01.csv', import.meta.url), 'utf8'),
  { columns: true },
)

export const lines: Line[] = columns.map((row) => ({
  timeMs: Number(row.t) * 1_000,
  hex: row.hex ?? '',
  lat: Number(row.lat),
  lon: Number(row.lon),
  heightMetres: Number(row.alt_baro) * 0.3048,
  speed: Number(row.gs) * 0.514444,
  trackDegrees: Number(row.track),
  climb: row.baro_rate ? Number(row.baro_rate) * 0.00508 : undefined,
}))

export function velocityOf({ speed, trackDegrees }: Line) {
  const course = (trackDegrees * Math.PI) / 180
  return {
    eastMetresPerSecond: speed * Math.sin(course),
    northMetresPerSecond: speed * Math.cos(course),
  }
}

/** As one sensor reports them, received 0.3 s after their time. */
export function toReceptions(): Reception[] {
  return lines.map((line) => ({
    deviceUrn: 'urn:aa:device:acme:roof1',
    receivedAtMs: line.timeMs + 300,
    position: {
      id: `${line.hex} ${line.timeMs}`,
      timeMs: line.timeMs,
      target: {
        type: 'aa:target:aircraft',
        identifiers: [{ kind: 'ICAO', id: line.hex.toUpperCase(), type: 'ICAO' }],
      },
      latDegrees: line.lat,
      lonDegrees: line.lon,
      accuracy: { metres: 20, provenance: 'given' },
      altitudes: [{ heightMetres: line.heightMetres, datum: 'bar', provenance: 'given' }],
      groundVelocity: {
        ...velocityOf(line),
        ...(line.climb !== undefined && { upMetresPerSecond: line.climb }),
      },
    },
  }))
}
