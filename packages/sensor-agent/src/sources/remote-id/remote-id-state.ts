/** What both shapes of Remote ID say about one drone at one time. Metres, metres per second, degrees; unknown values are left out. */

export interface RemoteIdState {
  id: string
  idType: 'SerialNumber' | 'Registration' | 'UTM' | 'SessionId' | 'RemoteId'
  atMs: number
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
}

/** Known altitudes are above -1000 m. */
export function knownAltitude(metres: number | undefined): number | undefined {
  return metres === undefined || metres <= -1_000 ? undefined : metres
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
