/**
 * The mixture of the two models. In: both. Out: each with what the other one says, as likely as the target has changed;
 * the covariance of both together.
 */
import type { AxisCovariance, TurnCovariance } from './axis.ts'
import type { Model, Motion } from './estimate.ts'
import { changesPerSecond, leastSpeed, turnVariance, usualTurning } from './turning.ts'

/** Both models begin with what the other one says, as likely as the target has changed between them. */
export function mix(motion: Motion, seconds: number): void {
  const { straight, turn, turning } = motion
  const changed = 1 - Math.exp(-changesPerSecond * seconds)
  const entering = (1 - turning) * usualTurning * changed
  const leaving = turning * (1 - usualTurning) * changed
  const next = turning + entering - leaving
  const ofTurn = leaving / (1 - next)
  const ofStraight = entering / next
  const apart = toApart(motion)
  const before = { ...straight, along: { ...straight.along }, across: { ...straight.across } }
  blend(straight, turn, ofTurn, apart, 1)
  straight.left = 0
  const { across } = straight
  across.positionTurn = 0
  across.velocityTurn = 0
  across.turn = 0
  // A turn that begins may be one to either side.
  before.across.turn = turnVariance
  blend(turn, before, ofStraight, apart, -1)
  motion.turning = next
}

/** How far the turn is from the straight model, along and across. */
interface Apart {
  east: number
  north: number
  velocityEast: number
  velocityNorth: number
  left: number
  along: number
  across: number
  velocityAlong: number
  velocityAcross: number
}

export function toApart({ straight, turn, eastMetresPerSecond: vEast, northMetresPerSecond: vNorth }: Motion): Apart {
  const speed = Math.sqrt(vEast * vEast + vNorth * vNorth)
  const alongEast = speed > leastSpeed ? vEast / speed : 1
  const alongNorth = speed > leastSpeed ? vNorth / speed : 0
  const east = turn.east - straight.east
  const north = turn.north - straight.north
  const velocityEast = turn.velocityEast - straight.velocityEast
  const velocityNorth = turn.velocityNorth - straight.velocityNorth
  return {
    east,
    north,
    velocityEast,
    velocityNorth,
    left: turn.left,
    along: east * alongEast + north * alongNorth,
    across: north * alongEast - east * alongNorth,
    velocityAlong: velocityEast * alongEast + velocityNorth * alongNorth,
    velocityAcross: velocityNorth * alongEast - velocityEast * alongNorth,
  }
}

/** Moves a model towards the other one by its share; `sign` is 1 if that is the turn. */
function blend(model: Model, other: Model, share: number, apart: Apart, sign: number): void {
  const by = share * sign
  model.east += by * apart.east
  model.north += by * apart.north
  model.velocityEast += by * apart.velocityEast
  model.velocityNorth += by * apart.velocityNorth
  model.left += by * apart.left
  blendAxis(model.along, other.along, share, apart.along, apart.velocityAlong)
  blendTurn(model.across, other.across, share, apart)
}

/** The covariance of a mixture of two, of which the second one has the share. */
export function blendAxis(
  axis: AxisCovariance,
  other: AxisCovariance,
  share: number,
  position: number,
  velocity: number,
) {
  const spread = share * (1 - share)
  axis.position += share * (other.position - axis.position) + spread * position * position
  axis.mixed += share * (other.mixed - axis.mixed) + spread * position * velocity
  axis.velocity += share * (other.velocity - axis.velocity) + spread * velocity * velocity
}

export function blendTurn(axis: TurnCovariance, other: TurnCovariance, share: number, apart: Apart): void {
  const { across, velocityAcross, left } = apart
  const spread = share * (1 - share)
  blendAxis(axis, other, share, across, velocityAcross)
  axis.positionTurn += share * (other.positionTurn - axis.positionTurn) + spread * across * left
  axis.velocityTurn += share * (other.velocityTurn - axis.velocityTurn) + spread * velocityAcross * left
  axis.turn += share * (other.turn - axis.turn) + spread * left * left
}
