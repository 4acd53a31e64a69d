/** Reports of aircraft for tests of the tracker. */
import type { PositionData, PositionReport } from '@posrep/spec'
import type { Tracker } from '../../src/tracker/tracker.ts'

export const roof1 = 'urn:aa:device:acme:roof1'
export const roof2 = 'urn:aa:device:fleet:roof2'

/** An aircraft on its way to the east. */
export function anAircraft(icao: string, atMs: number, given: Partial<PositionData> = {}): PositionData {
  return {
    id: `${icao}-${atMs}`,
    sourceTimeStamp: new Date(atMs).toISOString(),
    position: { lat: 60.3, lon: 24 + ((atMs / 1_000) % 3_600) * 0.002, accuracy: 20 },
    target: { ids: [{ id: icao, type: 'ICAO' }] },
    altitudes: [{ height: 1_000, datum: 'wgs84' }],
    groundVelocity: { x: 110, y: 0, z: 0 },
    ...given,
  }
}

export interface Received {
  deviceId: string
  seq: number
  receivedAtMs: number
  report: PositionReport
}

export function aReport(deviceId: string, seq: number, receivedAtMs: number, positions: PositionData[]): Received {
  return { deviceId, seq, receivedAtMs, report: { positions } }
}

/** Returns the number of positions that the tracker took. */
export function take(tracker: Tracker, { report, receivedAtMs, deviceId, seq }: Received, atMs = receivedAtMs): number {
  return tracker.add(report, receivedAtMs, { deviceId, seq, atMs })
}
