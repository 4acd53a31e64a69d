/** Sites where altitudes and the ground are known badly. */

import { createRandom } from '../random.ts'
import { fly } from './flights.ts'
import type { Scenario } from './scenario.ts'
import { adsb, detector, observe, type Sensor } from './sensors.ts'
import { toAddress } from './traffic.ts'

/** Two airliners head-on at one level. `onGround` was true before take-off and is left out in flight. */
export const onGroundBeforeTakeOff: Scenario = {
  name: 'on-ground-before-take-off',
  make(seed) {
    const climb = [
      { seconds: 20, onGround: true },
      { seconds: 25, accelerationMetresPerSecondSquared: 3, onGround: true },
      { seconds: 300, climbMetresPerSecond: 12 },
      { seconds: 170 },
    ]
    // 25 s at 3 m/s², then 470 s at 75 m/s: they meet after the climb.
    const miss = 100 * createRandom(seed).uniform()
    const plan = { pressureMetres: 100, speedMetresPerSecond: 0, legs: climb }
    const targets = [
      fly({ ...plan, identity: toAddress(0), eastMetres: -33_000, northMetres: 0, courseDegrees: 90 }),
      fly({ ...plan, identity: toAddress(1), eastMetres: 33_000, northMetres: miss, courseDegrees: 270 }),
    ]
    return { targets, sightings: observe(targets, [adsb], 500, seed) }
  },
}

/**
 * A drone at 100 m, seen by a detector with GNSS heights; airliners that report pressure altitudes pass over it at
 * 10,400 m.
 */
export const droneBelowAirliners: Scenario = {
  name: 'drone-below-airliners',
  make(seed) {
    const targets = [
      fly({
        identity: 'DRONE',
        isDrone: true,
        eastMetres: 0,
        northMetres: 0,
        pressureMetres: 100,
        courseDegrees: 0,
        speedMetresPerSecond: 8,
        legs: [{ seconds: 900, turnDegreesPerSecond: 3 }],
      }),
      ...Array.from({ length: 15 }, (_, number) =>
        fly({
          identity: toAddress(number),
          eastMetres: -230 * (40 + 50 * number),
          northMetres: 100 * ((number % 5) - 2),
          pressureMetres: 10_400,
          courseDegrees: 90,
          speedMetresPerSecond: 230,
          legs: [{ seconds: 900 }],
        }),
      ),
    ]
    const remoteId: Sensor = {
      ...detector,
      name: 'remote-id',
      datums: ['wgs84'],
      hasSourceIds: true,
      hasVelocity: true,
      sees: ({ isDrone }) => isDrone,
      classify: () => ({ type: 'aa:target:drone', confidence: 95 }),
    }
    return { targets, sightings: observe(targets, [{ ...adsb, sees: ({ isDrone }) => !isDrone }, remoteId], 880, seed) }
  },
}

/**
 * A field at 700 m above the sea. Two aircraft in the circuit, 1.2 km apart and once level on opposite sides; one
 * stands and says so.
 */
export const circuit: Scenario = {
  name: 'circuit-at-700-m',
  make(seed) {
    const field = 700
    const lap = (offset: number) => [
      { seconds: 50 + offset },
      { seconds: 30, turnDegreesPerSecond: -3 },
      { seconds: 20 },
      { seconds: 30, turnDegreesPerSecond: -3 },
    ]
    const legs = (offset: number) => Array.from({ length: 8 }, () => [...lap(offset), ...lap(offset)]).flat()
    const plan = { pressureMetres: field + 300, courseDegrees: 90, speedMetresPerSecond: 45, eastMetres: 0 }
    const targets = [
      fly({ ...plan, identity: toAddress(0), northMetres: 0, legs: legs(0) }),
      fly({
        ...plan,
        identity: toAddress(1),
        northMetres: -2_900,
        courseDegrees: 270,
        eastMetres: 2_300,
        legs: legs(0),
      }),
      fly({
        ...plan,
        identity: toAddress(2),
        northMetres: -1_500,
        pressureMetres: field,
        speedMetresPerSecond: 0,
        legs: [{ seconds: 1_200, onGround: true }],
      }),
    ]
    // As the sensor agent sends it: a target on the ground has a height above ground of 0, and no other.
    const sightings = observe(targets, [adsb], 900, seed).map((one) =>
      one.data.onGround ? { ...one, data: { ...one.data, altitudes: [{ height: 0, datum: 'agl' as const }] } } : one,
    )
    return { targets, sightings }
  },
}
