/** What the filter knows of a track: the estimate of each model, and of both together. */
import type { AxisCovariance, TurnCovariance } from './axis.ts'
import type { Vector } from './local-frame.ts'

/** What both models say together. */
export interface Motion extends Vector {
  timeMs: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  /** To the left of the velocity. */
  leftMetresPerSecondSquared: number
  along: AxisCovariance
  across: TurnCovariance
  /** Probability of the model of turns. */
  turning: number
  straight: Model
  turn: Model
}

/** What one model says. The place is relative to that of both together, in metres. */
export interface Model {
  east: number
  north: number
  velocityEast: number
  velocityNorth: number
  /** 0 in the straight model. */
  left: number
  along: AxisCovariance
  across: TurnCovariance
}
