/**
 * The staged encounter of the demo: a drone circles beside the airport, and every few minutes a light aircraft flies across its circle.
 * In: seconds since the start. Out: what the sensors report of both. Not recorded: the drone and the aircraft do not exist.
 */
import type { Identifier, PositionData, TargetType } from '@posrep/spec'
import { radarPlace } from './demo-sensors.ts'
import { move } from './place.ts'

interface State {
  eastMetres: number
  northMetres: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
}

const circleRadiusMetres = 300
const droneSpeed = 10
/** Above the ellipsoid: about 100 m above the ground. */
const droneHeightMetres = 170

export function drone(seconds: number, at: Date): PositionData {
  const rate = droneSpeed / circleRadiusMetres
  const [sin, cos] = [Math.sin(rate * seconds), Math.cos(rate * seconds)]
  const state = {
    eastMetres: circleRadiusMetres * cos,
    northMetres: circleRadiusMetres * sin,
    eastMetresPerSecond: -droneSpeed * sin,
    northMetresPerSecond: droneSpeed * cos,
  }
  const ids = [{ id: 'DEMO1581F4', type: 'SerialNumber' }]
  return toPosition('drone', 'aa:target:drone', ids, state, droneHeightMetres, at)
}

const lightAircraftSpeed = 55
const lightAircraftHeightMetres = 200
/** The aircraft begins this far west of the drone's circle, so that it crosses the circle after 90 s. */
const approachMetres = 90 * lightAircraftSpeed
const flightSeconds = 180
/** For the rest of this time no receiver hears the aircraft. */
const periodSeconds = 300

/** Undefined while the aircraft is not in the air. */
export function lightAircraft(seconds: number, at: Date): PositionData | undefined {
  const flown = seconds % periodSeconds
  if (flown > flightSeconds) return undefined
  const state = {
    eastMetres: lightAircraftSpeed * flown - approachMetres,
    northMetres: 60,
    eastMetresPerSecond: lightAircraftSpeed,
    northMetresPerSecond: 0,
  }
  const ids = [
    { id: 'DEMO1', type: 'CallSign' },
    { id: 'OH-DEMO', type: 'Registration' },
  ]
  return toPosition('light-aircraft', 'aa:target:aircraft', ids, state, lightAircraftHeightMetres, at)
}

function toPosition(
  name: string,
  type: TargetType,
  ids: Identifier[],
  { eastMetres, northMetres, eastMetresPerSecond, northMetresPerSecond }: State,
  heightMetres: number,
  at: Date,
): PositionData {
  return {
    id: `${name}-${at.getTime()}`,
    sourceTimeStamp: at.toISOString(),
    target: { sourceId: name, type, ids },
    position: { ...move(radarPlace, eastMetres, northMetres), accuracy: 10 },
    altitudes: [{ height: heightMetres, datum: 'wgs84', accuracy: 10 }],
    groundVelocity: { x: eastMetresPerSecond, y: northMetresPerSecond, z: 0 },
    onGround: false,
  }
}
