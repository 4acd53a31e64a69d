/**
 * One model of the filter. In: a measurement in the frame of the estimate; seconds. Out: the model, corrected or
 * carried forward.
 */
import { filterParameters, turnParameters } from '../parameters.ts'
import {
  predictedTurnVariance,
  predictedVariance,
  updateAxis,
  updateTurn,
  updateTurnVelocity,
  updateVelocity,
} from './axis.ts'
import type { Model } from './estimate.ts'
import type { Innovation } from './innovation.ts'
import { angleOf } from './turning.ts'

const { alongNoise, acrossNoise } = filterParameters
const { fadesInSeconds, manoeuvreNoise } = turnParameters

/** A measurement in the frame of the estimate. */
export interface Seen {
  east: number
  north: number
  lag: number
  innovation: Innovation
  velocity: { east: number; north: number; variance: number } | undefined
}

/** Returns -2 ln of the likelihood. */
export function correct(model: Model, { east, north, lag, innovation, velocity }: Seen, turns: boolean): number {
  const { alongEast, alongNorth, alongNoise: alongR, acrossNoise: acrossR } = innovation
  const { along, across } = model
  const x = east - model.east - lag * model.velocityEast
  const y = north - model.north - lag * model.velocityNorth
  const alongBy = x * alongEast + y * alongNorth
  const acrossBy = y * alongEast - x * alongNorth - (lag * lag * model.left) / 2
  const alongQ = turns ? manoeuvreNoise : alongNoise
  const alongTotal = predictedVariance(along, lag, alongQ) + alongR
  const acrossTotal = predictedTurnVariance(across, lag, -lag, acrossNoise) + acrossR
  const alongChange = updateAxis(along, lag, alongBy, alongTotal)
  const acrossChange = turns
    ? updateTurn(across, lag, acrossBy, acrossTotal)
    : { ...updateAxis(across, lag, acrossBy, acrossTotal), turn: 0 }
  let cost = costOf(alongBy, alongTotal) + costOf(acrossBy, acrossTotal)
  if (velocity) {
    const u = velocity.east - model.velocityEast
    const v = velocity.north - model.velocityNorth
    // The correction by the position has changed the velocity from which the difference was taken.
    const alongV = u * alongEast + v * alongNorth - alongChange.velocity
    const acrossV = v * alongEast - u * alongNorth - acrossChange.velocity - lag * model.left
    const alongVariance = velocity.variance - lag * alongQ
    const acrossVariance = velocity.variance - lag * acrossNoise
    cost += costOf(alongV, along.velocity + alongVariance) + costOf(acrossV, across.velocity + acrossVariance)
    const alongMore = updateVelocity(along, alongV, alongVariance)
    alongChange.position += alongMore.position
    alongChange.velocity += alongMore.velocity
    const acrossMore = turns
      ? updateTurnVelocity(across, acrossV, acrossVariance)
      : { ...updateVelocity(across, acrossV, acrossVariance), turn: 0 }
    acrossChange.position += acrossMore.position
    acrossChange.velocity += acrossMore.velocity
    acrossChange.turn += acrossMore.turn
  }
  model.east += alongChange.position * alongEast - acrossChange.position * alongNorth
  model.north += alongChange.position * alongNorth + acrossChange.position * alongEast
  model.velocityEast += alongChange.velocity * alongEast - acrossChange.velocity * alongNorth
  model.velocityNorth += alongChange.velocity * alongNorth + acrossChange.velocity * alongEast
  model.left += acrossChange.turn
  return cost
}

function costOf(innovation: number, variance: number): number {
  return (innovation * innovation) / variance + Math.log(variance)
}

/** Carries the state of a model forward, on the arc of its turn. */
export function carry(model: Model, seconds: number): void {
  const { velocityEast, velocityNorth } = model
  const angle = angleOf(model.left, Math.sqrt(velocityEast ** 2 + velocityNorth ** 2), seconds)
  const [sin, cos] = [Math.sin(angle / 2), Math.cos(angle / 2)]
  // The chord of the arc.
  const length = angle === 0 ? seconds : (seconds * sin) / (angle / 2)
  const east = velocityEast * cos - velocityNorth * sin
  const north = velocityEast * sin + velocityNorth * cos
  model.east += east * length
  model.north += north * length
  model.velocityEast = east * cos - north * sin
  model.velocityNorth = east * sin + north * cos
  model.left *= Math.exp(-seconds / fadesInSeconds)
}
