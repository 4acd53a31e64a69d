/**
 * Simulated sensors: an ADS-B receiver, a radar, a detector without identifiers, and what one says differently.
 * In: true targets, a sensor, a seed. Out: what it sends, with normal noise of its stated accuracy, its constant
 * errors, and gaps.
 */
import type { PositionData, PositionReport, TargetType } from '@posrep/spec'
import { displaced, offsetMetres, type TrueState, type TrueTarget } from '../metrics/truth.ts'
import { createRandom, type Random } from '../random.ts'
import type { Sighting } from '../sighting.ts'
import { origin, startMs } from './flights.ts'

export interface Sensor {
  name: string
  intervalSeconds: number
  /** Stated: 95 % of the positions are within. */
  accuracyMetres: number
  datums: readonly ('bar' | 'wgs84' | 'agl')[]
  /** Default: none. */
  hasAddresses?: boolean
  /** Its own number for each target, which stays. */
  hasSourceIds?: boolean
  hasVelocity?: boolean
  dropShare?: number
  /** Default: all. */
  sees?: (target: TrueTarget, state: TrueState) => boolean
  /** Positive: ahead. */
  clockSeconds?: number
  biasMetres?: readonly [east: number, north: number]
  /** Of a radar at the origin. */
  azimuthBiasDegrees?: number
  rangeBiasMetres?: number
  falsePlotsPerScan?: number
  /** As sent; default: on the ground only what is there. */
  onGround?: (state: TrueState, seconds: number) => boolean | undefined
  classify?: (target: TrueTarget, random: Random) => { type: TargetType; confidence: number } | undefined
  sensorPosition?: NonNullable<PositionReport['sensor']>['sensorPosition']
}

/** Extended squitter, version 2: a GNSS position twice a second, of which one receiver gets most. */
export const adsb: Sensor = {
  name: 'adsb',
  intervalSeconds: 1,
  accuracyMetres: 30,
  datums: ['bar'],
  hasAddresses: true,
  hasSourceIds: true,
  hasVelocity: true,
  dropShare: 0.2,
}
export const radar: Sensor = {
  name: 'radar',
  intervalSeconds: 4,
  accuracyMetres: 250,
  datums: ['bar'],
  dropShare: 0.1,
  sees: (_, { onGround }) => !onGround,
}
export const detector: Sensor = {
  name: 'detector',
  intervalSeconds: 1,
  accuracyMetres: 100,
  datums: [],
  dropShare: 0.3,
  sees: (_, { onGround }) => !onGround,
}

const sigmasOfBound = 2.448
const heightSigmaMetres = 8
const velocitySigma = 1
/** Of the geoid above the ellipsoid near the origin. */
const geoidMetres = 18
const latencyMs = 400
const radarRangeMetres = 60_000

export function observe(
  targets: readonly TrueTarget[],
  sensors: readonly Sensor[],
  seconds: number,
  seed: number,
): Sighting[] {
  const random = createRandom(seed)
  return sensors
    .flatMap((sensor) => observeBy(targets, sensor, seconds, random))
    .sort((a, b) => a.receivedAtMs - b.receivedAtMs)
}

function observeBy(targets: readonly TrueTarget[], sensor: Sensor, seconds: number, random: Random): Sighting[] {
  const { intervalSeconds, dropShare = 0, sees = () => true, falsePlotsPerScan = 0 } = sensor
  const phases = targets.map(() => random.uniform() * intervalSeconds)
  const sightings: Sighting[] = []
  for (let scan = 0; scan * intervalSeconds < seconds; scan++) {
    for (const [at, target] of targets.entries()) {
      const trueMs = startMs + Math.round((scan * intervalSeconds + (phases[at] ?? 0)) * 1_000)
      const state = target.at(trueMs)
      if (!state || !sees(target, state) || random.uniform() < dropShare) continue
      sightings.push(toSighting(sensor, target, at, state, trueMs, random))
    }
    for (let plot = 0; plot < falsePlotsPerScan; plot++) {
      const trueMs = startMs + Math.round((scan + random.uniform()) * intervalSeconds * 1_000)
      sightings.push(toFalsePlot(sensor, trueMs, random))
    }
  }
  return sightings
}

function toSighting(
  sensor: Sensor,
  target: TrueTarget,
  number: number,
  state: TrueState,
  trueMs: number,
  random: Random,
): Sighting {
  const {
    name,
    accuracyMetres,
    clockSeconds = 0,
    hasAddresses,
    hasSourceIds,
    hasVelocity,
    onGround = toGround,
    classify,
  } = sensor
  const sigma = accuracyMetres / sigmasOfBound
  const [biasEast, biasNorth] = biasAt(sensor, state)
  const place = displaced(state, biasEast + sigma * random.normal(), biasNorth + sigma * random.normal())
  const ground = onGround(state, (trueMs - startMs) / 1_000)
  const classified = classify?.(target, random)
  const data: PositionData = {
    id: `${name} ${number} ${trueMs}`,
    sourceTimeStamp: new Date(trueMs + clockSeconds * 1_000).toISOString(),
    position: { lat: place.latDegrees, lon: place.lonDegrees, accuracy: accuracyMetres },
    target: {
      ...(hasSourceIds && { sourceId: `${name}-${number}` }),
      ...(hasAddresses && { ids: [{ id: target.identity, type: 'ICAO' }] }),
      ...classified,
    },
    altitudes: sensor.datums.map((datum) => ({
      datum,
      height: heightAbove(datum, state) + heightSigmaMetres * random.normal(),
    })),
    ...(hasVelocity && {
      groundVelocity: {
        x: state.eastMetresPerSecond + velocitySigma * random.normal(),
        y: state.northMetresPerSecond + velocitySigma * random.normal(),
        z: state.upMetresPerSecond,
      },
    }),
    ...(ground !== undefined && { onGround: ground }),
  }
  return toSent(sensor, data, trueMs, target.identity, !hasAddresses)
}

function toFalsePlot(sensor: Sensor, trueMs: number, random: Random): Sighting {
  const place = displaced(
    origin,
    (2 * random.uniform() - 1) * radarRangeMetres,
    (2 * random.uniform() - 1) * radarRangeMetres,
  )
  const data: PositionData = {
    id: `${sensor.name} plot ${trueMs}`,
    sourceTimeStamp: new Date(trueMs + (sensor.clockSeconds ?? 0) * 1_000).toISOString(),
    position: { lat: place.latDegrees, lon: place.lonDegrees, accuracy: sensor.accuracyMetres },
    altitudes: [],
  }
  return toSent(sensor, data, trueMs, undefined, true)
}

function toSent(
  sensor: Sensor,
  data: PositionData,
  trueMs: number,
  identity: string | undefined,
  isHidden: boolean,
): Sighting {
  const { name, sensorPosition } = sensor
  return {
    receiver: name,
    receivedAtMs: trueMs + latencyMs,
    data,
    identity,
    isHidden,
    trueMs,
    sensor: { id: name, ...(sensorPosition && { sensorPosition }) },
  }
}

function biasAt(
  { biasMetres: [east, north] = [0, 0], azimuthBiasDegrees = 0, rangeBiasMetres = 0 }: Sensor,
  state: TrueState,
): [number, number] {
  const [x, y] = offsetMetres(origin, state)
  const turn = azimuthBiasDegrees * (Math.PI / 180)
  const longer = 1 + rangeBiasMetres / Math.max(1, Math.hypot(x, y))
  const seenEast = longer * (x * Math.cos(turn) + y * Math.sin(turn))
  const seenNorth = longer * (y * Math.cos(turn) - x * Math.sin(turn))
  return [east + seenEast - x, north + seenNorth - y]
}

function heightAbove(datum: 'bar' | 'wgs84' | 'agl', { pressureMetres, geometricMetres }: TrueState): number {
  if (datum === 'bar') return pressureMetres
  return datum === 'wgs84' ? geometricMetres + geoidMetres : geometricMetres
}

function toGround({ onGround }: TrueState): boolean | undefined {
  return onGround ? true : undefined
}
