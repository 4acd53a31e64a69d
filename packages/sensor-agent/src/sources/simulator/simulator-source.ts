/**
 * Simulates aircraft, to try a deployment without a receiver.
 * In: a centre and a number of aircraft. Out: one position per aircraft and interval: aircraft that fly circles, or
 * pairs that meet at a known distance. The same options give the same tracks. The targets have a call sign, `SIM…`, and
 * no ICAO address.
 */
import type { PositionData } from '@posrep/spec'
import { checkNumber, checkWholeNumber } from '../../check-option.ts'
import { withAgentTime } from '../agent-time.ts'
import { createPace } from '../pace.ts'
import { defineSource, type Source } from '../source.ts'
import { round } from '../units.ts'
import { circle, encounter, type Flight } from './flights.ts'

export interface SimulatorOptions {
  /**
   * Centre of the area, in degrees. Default 60.3, 25.6, where the recording of the server's demo has no traffic.
   * Latitude -80 to 80.
   */
  lat?: number
  lon?: number
  /** `circles`, or `encounters`: aircraft 1 and 2, 3 and 4, … fly towards each other and pass. Default `circles`. */
  pattern?: 'circles' | 'encounters'
  /** Number of aircraft, 1-1000. Encounters take an even number. Default 10. */
  targets?: number
  /** Time between two positions of an aircraft, in ms. 100 or more. Default 1_000. */
  intervalMs?: number
  /** Distance of a pair when it passes, in metres, 0-5000. Default 200. */
  missDistanceMetres?: number
}

export function simulatorSource(options: SimulatorOptions = {}): Source {
  const { pattern = 'circles', targets = 10, intervalMs = 1_000 } = options
  checkNumber('intervalMs', intervalMs, 100)
  const flights = createFlights(options)

  return defineSource(`simulator, ${targets} aircraft in ${pattern}`, async ({ clock, signal, report, toStampMs }) => {
    const pace = createPace(clock)
    for (let afterMs = 0; !signal.aborted; afterMs += intervalMs) {
      const atMs = await pace.until(afterMs, signal)
      if (signal.aborted) return
      await report(flights.map((flight) => toPosition(flight, atMs, toStampMs(atMs), afterMs / 1_000)))
    }
  })
}

function createFlights({
  lat = 60.3,
  lon = 25.6,
  pattern = 'circles',
  targets = 10,
  missDistanceMetres = 200,
}: SimulatorOptions): Flight[] {
  checkNumber('lat', lat, -80, 80)
  checkNumber('lon', lon, -180, 180)
  checkWholeNumber('targets', targets, 1, 1_000)
  checkNumber('missDistanceMetres', missDistanceMetres, 0, 5_000)
  if (pattern !== 'circles' && pattern !== 'encounters') {
    throw new TypeError(`"pattern" must be circles or encounters, got "${pattern}"`)
  }
  if (pattern === 'encounters' && targets % 2 === 1) {
    throw new RangeError(`"targets" must be even for encounters, got ${targets}`)
  }
  return Array.from({ length: targets }, (_, index) =>
    pattern === 'circles' ? circle({ lat, lon }, index) : encounter({ lat, lon }, index, missDistanceMetres),
  )
}

function toPosition({ name, at }: Flight, atMs: number, stampMs: number, seconds: number): PositionData {
  const { lat, lon, heightMetres, east, north } = at(seconds)
  return withAgentTime({
    id: `${name}-${atMs}`,
    sourceTimeStamp: new Date(stampMs).toISOString(),
    target: { sourceId: name, type: 'aa:target:aircraft', ids: [{ id: name, type: 'CallSign' }] },
    position: { lat: round(lat, 6), lon: round(lon, 6), accuracy: 10, source: 'simulator' },
    altitudes: [{ height: heightMetres, datum: 'wgs84' }],
    groundVelocity: { x: round(east, 3), y: round(north, 3), z: 0 },
    onGround: false,
  })
}
