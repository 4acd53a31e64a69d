/**
 * Recorded traffic as positions with the recorded identity of their target.
 * In: the files of `bench/recordings` and the recording of the server's demo. Out: positions in the order of their
 * times.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type StandardPosition, standardise } from '@posrep/air/standard'
import { createAircraftJsonMapper, createSbsMapper } from '@posrep/sensor-agent/sources'
import type { PositionData } from '@posrep/spec'

export interface Recorded {
  /** ICAO address, or `~` and an address that is none. */
  identity: string
  position: StandardPosition
  /** As the sensor sent it. */
  data: PositionData
  /** The receivers that heard it; undefined if the recording is of one receiver. */
  receivers?: string[]
}

const metresPerFoot = 0.3048
const metresPerSecondPerKnot = 0.514_444

/** Ten minutes at Helsinki-Vantaa, 06:34 to 06:44. */
export function readEfhkSbs(): Recorded[] {
  const mapper = createSbsMapper()
  return toRecorded(
    readLines('../../packages/server/recordings/efhk_2026-01-07.sbs.gz').flatMap((line) => mapper.map(line) ?? []),
  )
}

/** Eight minutes at Helsinki-Vantaa, 06:20 to 06:28. */
export function readEfhkAircraftJson(): Recorded[] {
  const mapper = createAircraftJsonMapper()
  return toRecorded(
    readLines('../recordings/efhk_2026-01-07.aircraft.jsonl.gz').flatMap((line) => mapper.map(JSON.parse(line), 0)),
  )
}

/** Three hours over Monterey Bay, with TIS-B targets. */
export function readMonterey(): Recorded[] {
  const positions = readLines('../recordings/adsblol_monterey_2025-06-01.jsonl.gz').map((line): PositionData => {
    const { t, hex, lat, lon, alt_baro, gs, track, flight } = JSON.parse(line)
    const direction = (track ?? 0) * (Math.PI / 180)
    const speed = gs * metresPerSecondPerKnot
    const hasVelocity = typeof gs === 'number' && typeof track === 'number'
    return {
      id: `${hex} ${t}`,
      sourceTimeStamp: new Date(t * 1_000).toISOString(),
      target: { ids: [{ id: hex, type: 'ICAO' }, ...(flight ? [{ id: flight, type: 'CallSign' }] : [])] },
      position: { lat, lon },
      ...(typeof alt_baro === 'number' && { altitudes: [{ height: alt_baro * metresPerFoot, datum: 'bar' as const }] }),
      ...(alt_baro === 'ground' && { onGround: true }),
      ...(hasVelocity && { groundVelocity: { x: speed * Math.sin(direction), y: speed * Math.cos(direction) } }),
    }
  })
  return toRecorded(positions)
}

/**
 * Four separate hours over Europe: single transmissions, each heard by five receivers. The hours are put on one day.
 */
export function readLocards(): Recorded[] {
  const positions = readLines('../recordings/locards_multireceiver.jsonl.gz').map((line) => {
    const { set, t_rel, aircraft, lat, lon, alt_baro_m, rx } = JSON.parse(line)
    const id = (set * 0x10000 + aircraft).toString(16).padStart(6, '0')
    const position: PositionData = {
      id: `${id} ${t_rel}`,
      sourceTimeStamp: new Date(Date.UTC(2021, 0, 1, 4 * set) + t_rel * 1_000).toISOString(),
      target: { ids: [{ id, type: 'ICAO' }] },
      position: { lat, lon },
      altitudes: [{ height: alt_baro_m, datum: 'bar' }],
    }
    const receivers: string[] = rx.map(({ sensor }: { sensor: number }) => String(sensor))
    return toRecorded([position]).map((one) => ({ ...one, receivers }))
  })
  return positions.flat().sort(byTime)
}

function toRecorded(positions: PositionData[]): Recorded[] {
  const standard = standardise(
    positions,
    positions.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp)),
  )
  return standard
    .flatMap((position, index) => {
      const data = positions[index]
      const identity = data?.target?.ids?.[0]?.id
      return data === undefined || identity === undefined ? [] : [{ identity, position, data }]
    })
    .sort(byTime)
}

function byTime(a: Recorded, b: Recorded): number {
  return a.position.timeMs - b.position.timeMs
}

function readLines(path: string): string[] {
  const text = gunzipSync(readFileSync(new URL(path, import.meta.url))).toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}
