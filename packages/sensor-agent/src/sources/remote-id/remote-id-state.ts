/**
 * What all shapes of Remote ID say about one drone at one time. Metres, metres per second, degrees; unknown values are
 * left out.
 */
import type { UnusableReason } from '../reasons.ts'

export interface RemoteIdState {
  id: string
  idType: 'SerialNumber' | 'Registration' | 'UTM' | 'SessionId' | 'RemoteId'
  /** As the message states it; `undefined` when it does not, or in a way that does not say since when it counts. */
  statedAtMs: number | undefined
  lat: number
  lon: number
  onGround?: boolean | undefined
  /** Above the WGS84 ellipsoid. */
  geodeticMetres?: number | undefined
  /** By pressure, against 1013.25 hPa. */
  pressureMetres?: number | undefined
  heightMetres?: number | undefined
  heightReference?: 'takeoff' | 'ground' | undefined
  speed?: number | undefined
  trackDegrees?: number | undefined
  upSpeed?: number | undefined
  horizontalAccuracyMetres?: number | undefined
  verticalAccuracyMetres?: number | undefined
  uaType?: string | number | undefined
  /** Members that have something which cannot be read. */
  unread: string[]
}

/** Why a message of a known shape has no state. */
export interface RemoteIdFault {
  reason: UnusableReason
  message: string
}

/** The standard can say -1000 (unknown) to 31,767 m; kits print what an unset value of 16 bits means. */
export function knownAltitude(metres: number | undefined): number | undefined {
  return metres === undefined || metres <= -1_000 || metres > 31_767 ? undefined : metres
}

/** The largest speed that the standard can say is 254.25 m/s; 255 is unknown. */
export function knownSpeed(metresPerSecond: number | undefined): number | undefined {
  return metresPerSecond === undefined || metresPerSecond < 0 || metresPerSecond >= 255 ? undefined : metresPerSecond
}

/** -62 to 62 m/s; 63 is unknown. */
export function knownUpSpeed(metresPerSecond: number | undefined): number | undefined {
  return metresPerSecond === undefined || Math.abs(metresPerSecond) >= 63 ? undefined : metresPerSecond
}

/** Bounds in metres, by the standard's number; 0 is unknown. */
export const horizontalAccuracyMetres = [
  undefined,
  18_520,
  7_408,
  3_704,
  1_852,
  926,
  555.6,
  185.2,
  92.6,
  30,
  10,
  3,
  1,
] as const

export const verticalAccuracyMetres = [undefined, 150, 45, 25, 10, 3, 1] as const
