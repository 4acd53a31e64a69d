/**
 * The staged encounter of the demo: a drone circles beside the airport, and a light aircraft flies circuits, one leg of
 * which leads across the drone's circle: every 160 s the two are in conflict.
 * In: seconds since the start. Out: what the sensors report of both. Not recorded: the drone and the aircraft do not
 * exist.
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

const lightAircraftSpeed = 45
const lightAircraftHeightMetres = 200
/**
 * The circuit: two straight legs and two half circles. One leg leads across the drone's circle, the other passes far
 * from it.
 */
const legMetres = 1_800
const turnRadiusMetres = 600
const halfMetres = legMetres + Math.PI * turnRadiusMetres
const circuitCentre = { eastMetres: -250, northMetres: 660 }
/**
 * It begins in the turn before the leg across the circle, so that somebody who starts the demo has time to open the
 * map.
 */
const beginsAtMetres = halfMetres + legMetres

export const circuitSeconds = (2 * halfMetres) / lightAircraftSpeed

export function lightAircraft(seconds: number, at: Date): PositionData {
  const flown = (beginsAtMetres + seconds * lightAircraftSpeed) % (2 * halfMetres)
  const onHalf = flown % halfMetres
  const turned = Math.max(0, onHalf - legMetres) / turnRadiusMetres
  const [sin, cos] = [Math.sin(turned), Math.cos(turned)]
  const east = Math.min(onHalf, legMetres) - legMetres / 2 + turnRadiusMetres * sin
  // The way back is the way there, turned by half a circle.
  const side = flown < halfMetres ? 1 : -1
  const state = {
    eastMetres: circuitCentre.eastMetres + side * east,
    northMetres: circuitCentre.northMetres - side * turnRadiusMetres * cos,
    eastMetresPerSecond: side * lightAircraftSpeed * cos,
    northMetresPerSecond: side * lightAircraftSpeed * sin,
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
