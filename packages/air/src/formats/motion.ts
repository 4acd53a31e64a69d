/**
 * Speed and direction of a track over ground. In: the velocity to east and north. Out: the same as polar coordinates.
 */
import type { AirTrack } from '@posrep/spec'

export interface Motion {
  speedMetresPerSecond: number
  /**
   * From 0 to below 360, clockwise from true north. Undefined for a target that hardly moves: its direction would be
   * noise.
   */
  courseDegrees: number | undefined
}

const movingMetresPerSecond = 0.5

/** Undefined while the velocity is not known. */
export function findMotion({ groundVelocity }: AirTrack): Motion | undefined {
  if (groundVelocity?.x === undefined || groundVelocity.y === undefined) return undefined
  const { x, y } = groundVelocity
  const speedMetresPerSecond = Math.hypot(x, y)
  if (speedMetresPerSecond < movingMetresPerSecond) return { speedMetresPerSecond, courseDegrees: undefined }
  return { speedMetresPerSecond, courseDegrees: ((Math.atan2(x, y) * 180) / Math.PI + 360) % 360 }
}
