/**
 * How a target changes heading, speed or level: what it can do, and the path that results.
 * In: a track and a change. Out: the path as straight pieces. The change begins after a delay and takes its time; with
 * `instant` it is complete at second 0.
 */
import type { Mover } from '../mover.ts'

export type Change =
  | { kind: 'heading'; turnDegrees: number }
  | { kind: 'speed'; speedChangeMetresPerSecond: number }
  | { kind: 'level'; levelChangeMetres: number }

/** A straight part of a path. Positions are metres from where the target is at second 0. */
export interface Piece {
  fromSeconds: number
  toSeconds: number
  eastMetres: number
  northMetres: number
  upMetres: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  upMetresPerSecond: number
}

export interface Abilities {
  /** Until a person has read the advice and the target begins to change. */
  delaySeconds: number
  maxTurnDegrees: number
  maxTurnDegreesPerSecond: number
  maxBankDegrees: number
  /** Of the present speed. */
  minSpeedFactor: number
  maxSpeedFactor: number
  metresPerSecondSquared: number
  maxLevelChangeMetres: number
  climbMetresPerSecond: number
  /** Nothing is advised that leads lower. */
  lowestAglMetres: number
}

/**
 * Turns: 3° a second or a bank of 25°, ICAO Doc 8168. Climbs: 1,500 ft/min, as TCAS assumes (RTCA DO-185). Its 5 s of
 * delay are those of a pilot who is told at once; here somebody reads the advice first.
 */
const aircraft: Abilities = {
  delaySeconds: 10,
  maxTurnDegrees: 60,
  maxTurnDegreesPerSecond: 3,
  maxBankDegrees: 25,
  minSpeedFactor: 0.8,
  maxSpeedFactor: 1.2,
  metresPerSecondSquared: 0.5,
  maxLevelChangeMetres: 300,
  climbMetresPerSecond: 7.62,
  lowestAglMetres: 300,
}

/** A small multicopter, below what its data sheets state. It can stop. */
const drone: Abilities = {
  delaySeconds: 3,
  maxTurnDegrees: 90,
  maxTurnDegreesPerSecond: 20,
  maxBankDegrees: 25,
  minSpeedFactor: 0,
  maxSpeedFactor: 1.25,
  metresPerSecondSquared: 1.5,
  maxLevelChangeMetres: 100,
  climbMetresPerSecond: 2.5,
  lowestAglMetres: 20,
}

export function abilitiesOf({ isDrone }: Mover): Abilities {
  return isDrone ? drone : aircraft
}

/** `delaySeconds`: until the change begins. Default: as long as people need. */
export function fly(
  mover: Mover,
  change: Change,
  { instant = false, delaySeconds }: { instant?: boolean; delaySeconds?: number } = {},
): Piece[] {
  const path = createPath(mover)
  const abilities = abilitiesOf(mover)
  if (!instant) path.continueFor(delaySeconds ?? abilities.delaySeconds)
  switch (change.kind) {
    case 'heading':
      turn(path, change.turnDegrees, instant ? Number.POSITIVE_INFINITY : turnRate(mover, abilities))
      break
    case 'speed': {
      const rate = instant ? Number.POSITIVE_INFINITY : abilities.metresPerSecondSquared
      accelerate(path, change.speedChangeMetresPerSecond, rate)
      break
    }
    case 'level':
      if (instant) path.jump(change.levelChangeMetres)
      else climbTo(path, change.levelChangeMetres, abilities.climbMetresPerSecond)
  }
  path.continueFor(Number.POSITIVE_INFINITY)
  return path.pieces
}

type Velocity = Pick<Piece, 'eastMetresPerSecond' | 'northMetresPerSecond' | 'upMetresPerSecond'>

function createPath({ eastMetresPerSecond, northMetresPerSecond, upMetresPerSecond }: Mover) {
  const pieces: Piece[] = []
  const at = { seconds: 0, eastMetres: 0, northMetres: 0, upMetres: 0 }
  let velocity: Velocity = { eastMetresPerSecond, northMetresPerSecond, upMetresPerSecond }
  return {
    pieces,
    get velocity() {
      return velocity
    },
    get upMetres() {
      return at.upMetres
    },
    setVelocity(next: Partial<Velocity>) {
      velocity = { ...velocity, ...next }
    },
    jump(upMetres: number) {
      at.upMetres += upMetres
      velocity = { ...velocity, upMetresPerSecond: 0 }
    },
    /** Adds a piece at the present velocity. */
    continueFor(seconds: number) {
      if (!(seconds > 0)) return
      const { eastMetres, northMetres, upMetres } = at
      const toSeconds = at.seconds + seconds
      pieces.push({ fromSeconds: at.seconds, toSeconds, eastMetres, northMetres, upMetres, ...velocity })
      at.seconds = toSeconds
      at.eastMetres += velocity.eastMetresPerSecond * seconds
      at.northMetres += velocity.northMetresPerSecond * seconds
      at.upMetres += velocity.upMetresPerSecond * seconds
    },
  }
}

type FlightPath = ReturnType<typeof createPath>

const maxStepDegrees = 15

/** Each piece is the chord of its part of the arc. */
function turn(path: FlightPath, turnDegrees: number, degreesPerSecond: number): void {
  const steps = Math.max(1, Math.ceil(Math.abs(turnDegrees) / maxStepDegrees))
  const step = turnDegrees / steps
  const { velocity } = path
  const half = ((step / 2) * Math.PI) / 180
  const chordFactor = half === 0 ? 1 : Math.sin(half) / half
  for (let index = 0; index < steps && degreesPerSecond < Number.POSITIVE_INFINITY; index++) {
    path.setVelocity(rotate(velocity, step * (index + 0.5), chordFactor))
    path.continueFor(Math.abs(step) / degreesPerSecond)
  }
  path.setVelocity(rotate(velocity, turnDegrees, 1))
}

/** Clockwise, as headings count. */
function rotate({ eastMetresPerSecond: u, northMetresPerSecond: v }: Velocity, degrees: number, factor: number) {
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return { eastMetresPerSecond: factor * (u * cos + v * sin), northMetresPerSecond: factor * (v * cos - u * sin) }
}

/** The piece in which the speed changes has the mean speed. */
function accelerate(path: FlightPath, change: number, metresPerSecondSquared: number): void {
  const { velocity } = path
  const speed = Math.hypot(velocity.eastMetresPerSecond, velocity.northMetresPerSecond)
  if (speed === 0) return
  const withSpeed = (next: number) => ({
    eastMetresPerSecond: (velocity.eastMetresPerSecond * next) / speed,
    northMetresPerSecond: (velocity.northMetresPerSecond * next) / speed,
  })
  path.setVelocity(withSpeed(speed + change / 2))
  path.continueFor(Math.abs(change) / metresPerSecondSquared)
  path.setVelocity(withSpeed(speed + change))
}

function climbTo(path: FlightPath, levelChangeMetres: number, metresPerSecond: number): void {
  const climb = levelChangeMetres - path.upMetres
  path.setVelocity({ upMetresPerSecond: Math.sign(climb) * metresPerSecond })
  path.continueFor(Math.abs(climb) / metresPerSecond)
  path.setVelocity({ upMetresPerSecond: 0 })
}

const gravity = 9.80665

function turnRate({ speedMetresPerSecond }: Mover, { maxTurnDegreesPerSecond, maxBankDegrees }: Abilities): number {
  const byBank = (gravity * Math.tan((maxBankDegrees * Math.PI) / 180)) / Math.max(speedMetresPerSecond, 0.1)
  return Math.min(maxTurnDegreesPerSecond, (byBank * 180) / Math.PI)
}
