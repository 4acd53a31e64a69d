/**
 * Where targets are between the frames: each flies on with its last velocity. When a new position corrects it, the
 * difference fades out, so that nothing jumps. In replay: between the points of its trail.
 */
import type { Target } from './target.ts'
import { findBefore, indexOf, timeOf } from './trail.ts'
import { nearestX } from './view.ts'
import { toDirection } from './words.ts'

/** A target without news is not moved on for longer than this. */
const maxAheadMs = { tentative: 10_000, live: 20_000, coasting: 60_000 }
const fadeMs = 350
/** A correction that is larger than this, as a share of the world, is a jump, and is shown as one. */
const maxError = 5e-4
/** In replay, a target without a point for longer than this was not there. */
const maxGapMs = 60_000

/** Call it before the figures of the target change, and `correct` after it. */
export function placeLive(target: Target, nowMs: number): void {
  const { east, north, unitsPerMetre } = target
  const aheadMs = Math.max(0, Math.min(maxAheadMs[target.state], nowMs - target.timeMs))
  const aheadUnits = Number.isNaN(east) || Number.isNaN(north) ? 0 : (aheadMs / 1_000) * unitsPerMetre
  const left = Math.exp(-(nowMs - target.errorAtMs) / fadeMs)
  target.shownX = target.x + (aheadUnits && east * aheadUnits) + target.errorX * left
  target.shownY = target.y - (aheadUnits && north * aheadUnits) + target.errorY * left
  target.shownAltitude = target.altitude
  target.shownEast = east
  target.shownNorth = north
  target.shownUp = target.up
  target.shownDirection = target.direction
  target.isThere = true
}

/** @param wasX Where it was drawn before its figures changed. */
export function correct(target: Target, wasX: number, wasY: number, nowMs: number): void {
  target.errorX = 0
  target.errorY = 0
  placeLive(target, nowMs)
  const errorX = nearestX(wasX, target.shownX) - target.shownX
  const errorY = wasY - target.shownY
  if (Math.abs(errorX) > maxError || Math.abs(errorY) > maxError) return
  target.errorX = errorX
  target.errorY = errorY
  target.errorAtMs = nowMs
}

/** Where it was at an earlier time, if its trail has it, and how it moved there. */
export function placePast(target: Target, timeMs: number): void {
  const { trail, unitsPerMetre } = target
  const before = findBefore(trail, timeMs)
  target.isThere = before >= 0
  if (before < 0) return
  const at = indexOf(trail, before)
  const isLast = before + 1 >= trail.length
  const next = indexOf(trail, before + 1)
  const [toX, toY, toAltitude] = isLast
    ? [target.x, target.y, target.altitude]
    : [trail.xs[next] ?? 0, trail.ys[next] ?? 0, trail.altitudes[next] ?? Number.NaN]
  const fromMs = timeOf(trail, before)
  const toMs = isLast ? Math.max(target.timeMs, fromMs) : timeOf(trail, before + 1)
  const [fromX, fromY, fromAltitude] = [trail.xs[at] ?? 0, trail.ys[at] ?? 0, trail.altitudes[at] ?? Number.NaN]
  // In a gap it is shown for half of the longest time, and then not until it is seen again.
  const isGap = toMs - fromMs > maxGapMs
  target.isThere = timeMs <= toMs ? !isGap || timeMs - fromMs < maxGapMs / 2 : timeMs - toMs < maxGapMs
  const tookMs = toMs - fromMs
  const share = isGap || tookMs === 0 ? 0 : Math.min(1, (timeMs - fromMs) / tookMs)
  const [dx, dy] = [nearestX(toX, fromX) - fromX, toY - fromY]
  target.shownX = fromX + dx * share
  target.shownY = fromY + dy * share
  target.shownAltitude = Number.isNaN(toAltitude) ? fromAltitude : fromAltitude + (toAltitude - fromAltitude) * share
  const isMoving = tookMs > 0 && !isGap
  const perSecond = isMoving ? 1_000 / tookMs : Number.NaN
  target.shownEast = (dx / unitsPerMetre) * perSecond
  target.shownNorth = (-dy / unitsPerMetre) * perSecond
  target.shownUp = (toAltitude - fromAltitude) * perSecond
  target.shownDirection = Math.hypot(dx, dy) < 1e-9 ? Number.NaN : toDirection(dx, -dy)
}
