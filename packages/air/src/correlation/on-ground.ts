/**
 * Whether a target is on the ground.
 * In: its latest position. Out: what the position says; a source that said "on the ground" and no longer does has taken
 * it back. No target is on the ground that is too fast, climbs, or is too high for that, whatever was said.
 */
import type { Observation } from './association/observation.ts'
import type { Source, Target } from './targets/target.ts'

/** Faster than any take-off or landing run. */
const maxSpeedMetresPerSecond = 110
/** Vertical rates of a target on the ground are errors of a pressure sensor, of at most this. */
const maxClimbMetresPerSecond = 4
/** A tall aircraft, and an error. */
const maxHeightMetres = 60

/** The position must not be older than the estimate. */
export function showGround(target: Target, source: Source, observation: Observation): void {
  const { track } = target
  const { position } = observation.reception
  const { onGround } = position
  const tookBack = source.saysOnGround === true && onGround === undefined
  if (onGround === undefined) delete source.saysOnGround
  else source.saysOnGround = onGround
  if (onGround !== undefined) track.onGround = onGround
  else if (tookBack && !track.contributions.some(({ saysOnGround }) => saysOnGround)) delete track.onGround
  if (track.onGround && cannotBeOnGround(target, observation)) delete track.onGround
}

function cannotBeOnGround({ track }: Target, { reception: { position } }: Observation): boolean {
  const { eastMetresPerSecond = 0, northMetresPerSecond = 0 } = track.velocity ?? position.groundVelocity ?? {}
  if (Math.hypot(eastMetresPerSecond, northMetresPerSecond) > maxSpeedMetresPerSecond) return true
  if (Math.abs(position.groundVelocity?.upMetresPerSecond ?? 0) > maxClimbMetresPerSecond) return true
  return position.altitudes.some(
    ({ datum, heightMetres, accuracyMetres = 0 }) => datum === 'agl' && heightMetres > maxHeightMetres + accuracyMetres,
  )
}
