/** Sites where it is hard to say who is who. */
import { displaced, type TrueTarget } from '../metrics/truth.ts'
import { createRandom } from '../random.ts'
import type { Sighting } from '../sighting.ts'
import { fly, startMs } from './flights.ts'
import type { Scenario } from './scenario.ts'
import { adsb, detector, observe, radar, type Sensor } from './sensors.ts'
import { makeTraffic, toAddress } from './traffic.ts'

/** 54 aircraft in a crowded terminal area, no address twice. Clocks and places are as wrong as they usually are. */
function besideAdsb(name: string, sensors: readonly Sensor[]): Scenario {
  return {
    name,
    make(seed) {
      const seconds = 600
      const targets = makeTraffic(54, seconds + 30, seed, 20_000)
      return { targets, sightings: observe(targets, sensors, seconds, seed) }
    },
  }
}

const usualDetector: Sensor = { ...detector, clockSeconds: -0.8, biasMetres: [40, -30] }
const usualRadar: Sensor = { ...radar, clockSeconds: 0.5, biasMetres: [-60, 20] }

export const adsbAlone = besideAdsb('adsb-alone', [adsb])
export const detectorBesideAdsb = besideAdsb('detector-beside-adsb', [adsb, usualDetector])
export const radarBesideAdsb = besideAdsb('radar-beside-adsb', [adsb, usualRadar])
export const detectorAndRadar = besideAdsb('detector-and-radar', [usualDetector, usualRadar])

/** Formations at 100 m; a detector of 20 m sees both, ADS-B is on one of them. */
export const formation: Scenario = {
  name: 'formation-at-100-m',
  make(seed) {
    const targets = Array.from({ length: 10 }, (_, pair) =>
      [0, 1].map((wing) =>
        fly({
          identity: toAddress(2 * pair + wing),
          eastMetres: 100 * wing - 20_000,
          northMetres: 5_000 * (pair - 5) - 30 * wing,
          pressureMetres: 2_000 + 300 * pair,
          courseDegrees: 30,
          speedMetresPerSecond: 80,
          legs: [{ seconds: 330 }],
        }),
      ),
    ).flat()
    const isLeader = ({ identity }: TrueTarget) => Number.parseInt(identity, 16) % 2 === 0
    const fine: Sensor = { ...detector, accuracyMetres: 20, hasSourceIds: true }
    return { targets, sightings: observe(targets, [fine, { ...adsb, sees: isLeader }], 300, seed) }
  },
}

/**
 * TIS-B as received: beside some aircraft an anonymous target, some 10 to 125 m off, whose id lives 20 to 60 s. One
 * anonymous target is real, and crosses an aircraft.
 */
export const tisb: Scenario = {
  name: 'tisb-echoes',
  make(seed) {
    const seconds = 600
    const random = createRandom(seed * 31)
    const traffic = makeTraffic(15, seconds + 30, seed)
    const crossing = [
      fly({ ...crossed, identity: toAddress(40), courseDegrees: 90, eastMetres: -80 * 300, northMetres: 0 }),
      fly({ ...crossed, identity: 'INTRUDER', courseDegrees: 0, eastMetres: 60, northMetres: -80 * 300 }),
    ]
    const targets = [...traffic, ...crossing]
    const own = observe(targets, [{ ...adsb, sees: ({ identity }) => identity !== 'INTRUDER' }], seconds, seed)
    const echoes = traffic.slice(0, 8).flatMap((target, number) => echoesOf(target, number, seconds, random))
    const [, intruder] = crossing
    // First seen when it is 200 m from nobody and 6 km from the crossing.
    const seen = intruder ? toEchoes(intruder, 'E00FFF', 225, seconds, [0, 0], random) : []
    return { targets, sightings: [...own, ...echoes, ...seen].sort((a, b) => a.receivedAtMs - b.receivedAtMs) }
  },
}

const crossed = { pressureMetres: 900, speedMetresPerSecond: 80, legs: [{ seconds: 630 }] }

function echoesOf(
  target: TrueTarget,
  number: number,
  seconds: number,
  random: ReturnType<typeof createRandom>,
): Sighting[] {
  const sightings: Sighting[] = []
  for (let from = 5 * number; from < seconds; ) {
    const life = 20 + 40 * random.uniform()
    const metres = 10 + 115 * random.uniform()
    const bearing = 2 * Math.PI * random.uniform()
    const offset = [metres * Math.sin(bearing), metres * Math.cos(bearing)] as const
    const id = (0xe00000 + Math.floor(random.uniform() * 0xff0)).toString(16).toUpperCase()
    sightings.push(...toEchoes(target, id, from, Math.min(from + life, seconds), offset, random))
    from += life + 5 * random.uniform()
  }
  return sightings
}

function toEchoes(
  target: TrueTarget,
  id: string,
  from: number,
  to: number,
  [east, north]: readonly [number, number],
  random: ReturnType<typeof createRandom>,
): Sighting[] {
  const sightings: Sighting[] = []
  for (let seconds = from; seconds < to; seconds += 1 + random.uniform()) {
    const trueMs = startMs + Math.round(seconds * 1_000)
    const state = target.at(trueMs)
    if (!state) continue
    const { latDegrees, lonDegrees } = displaced(state, east + 8 * random.normal(), north + 8 * random.normal())
    sightings.push({
      receiver: 'adsb',
      receivedAtMs: trueMs + 400,
      identity: target.identity,
      isHidden: true,
      trueMs,
      data: {
        id: `${id} ${trueMs}`,
        sourceTimeStamp: new Date(trueMs).toISOString(),
        position: { lat: latDegrees, lon: lonDegrees, accuracy: 185 },
        target: { sourceId: `~${id}`, ids: [{ id, type: 'NonICAO' }] },
        altitudes: [{ height: Math.round(state.pressureMetres / 30.48) * 30.48, datum: 'bar' }],
        groundVelocity: {
          x: state.eastMetresPerSecond + 2 * random.normal(),
          y: state.northMetresPerSecond + 2 * random.normal(),
        },
      },
    })
  }
  return sightings
}

/** A detector sees what ADS-B sees, and takes each of it for a drone with a confidence of 5 %. */
export const doubtfulDetector: Scenario = {
  name: 'doubtful-detector',
  make(seed) {
    const seconds = 300
    const targets = makeTraffic(10, seconds + 30, seed)
    const doubtful: Sensor = { ...detector, classify: () => ({ type: 'aa:target:drone', confidence: 5 }) }
    const sure: Sensor = { ...adsb, classify: () => ({ type: 'aa:target:aircraft', confidence: 95 }) }
    return { targets, sightings: observe(targets, [sure, doubtful], seconds, seed) }
  },
}
