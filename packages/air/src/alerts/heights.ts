/**
 * Heights of targets above one datum, whichever datums their sensors use.
 * In: the tracks of an update. Out: two tracks compared, or a track above a datum, with the error of that. Given
 * altitudes of one datum come first, then derived ones. Without a datum in common, both are above mean sea level within
 * bounds: pressure altitudes by another target near them that reports both, else by how far the weather and cold or
 * warm air can move them; heights above ground by a target on the ground near them, else by the lowest and the highest
 * ground where people live.
 */
import type { AltitudeDatum } from '@posrep/spec'
import Flatbush from 'flatbush'
import { type AltitudeComparison, bestAbove, compareAltitudes, conversionError } from './conflicts/compare-altitudes.ts'
import { offsetBetween } from './local-plane.ts'
import type { Mover, MoverAltitude } from './mover.ts'

export interface Heights {
  /** Undefined if one of both has no altitude at all. */
  compare(own: Mover, other: Mover): AltitudeComparison | undefined
  /** Undefined without any altitude. */
  above(datum: AltitudeDatum, mover: Mover): Height | undefined
}

export interface Height {
  /** From which it follows. */
  altitude: MoverAltitude
  heightMetres: number
  /** A standard deviation of a converted altitude, or the bound of another datum. 0 if it was given above this one. */
  errorMetres: number
}

/** Pressure at sea level is 977 to 1,050 hPa, as a difference of height. */
const weatherMetres = 300
/** Of the height above the sea: 25 K warmer or colder than the standard atmosphere. */
const temperatureShare = 0.1
/** The pressure changes little on the way to a target near by: per metre, and from the altimeters of the two. */
const pressureGradient = 0.0005
const sampleErrorMetres = 30
const maxSampleMetres = 150_000
const maxSamples = 4
/** Ground differs by this near a target on it. */
const groundErrorMetres = 60
const nearGroundDegrees = 0.1
/** From the Dead Sea to the highest towns. */
const anyGround = { lowMetres: -430, highMetres: 5_100 }
/** The geoid is at most this far from the ellipsoid. */
const geoidMetres = 107

export function createHeights(movers: readonly Mover[]): Heights {
  const known = new Map<Mover, Height | undefined>()
  const samples = createIndex(movers, ({ altitudes }) => toMslOf(altitudes) && isGivenAbove('bar', altitudes))
  const grounds = createIndex(movers, ({ onGround, altitudes }) => onGround && toMslOf(altitudes))

  function aboveSea(mover: Mover): Height | undefined {
    if (!known.has(mover)) known.set(mover, find(mover))
    return known.get(mover)
  }

  function find(mover: Mover): Height | undefined {
    const { altitudes } = mover
    const sea = toMslOf(altitudes)
    if (sea) return sea
    const bar = bestAbove('bar', altitudes)
    if (bar) return fromPressure(mover, bar)
    const agl = bestAbove('agl', altitudes)
    if (!agl) return undefined
    const ground = groundBelow(mover)
    return {
      altitude: agl,
      heightMetres: agl.heightMetres + ground.heightMetres,
      errorMetres: ground.errorMetres + conversionError(agl),
    }
  }

  function fromPressure(mover: Mover, bar: MoverAltitude): Height {
    const { heightMetres } = bar
    let best: Height = {
      altitude: bar,
      heightMetres,
      errorMetres: weatherMetres + temperatureShare * Math.abs(heightMetres),
    }
    for (const { other, metres } of samples(mover, maxSamples)) {
      const sampleBar = bestAbove('bar', other.altitudes)
      const sampleSea = toMslOf(other.altitudes)
      if (!sampleBar || !sampleSea || metres > maxSampleMetres) continue
      const errorMetres =
        sampleErrorMetres +
        sampleSea.errorMetres +
        pressureGradient * metres +
        temperatureShare * Math.abs(heightMetres - sampleBar.heightMetres)
      if (errorMetres >= best.errorMetres) continue
      best = {
        altitude: bar,
        heightMetres: heightMetres + sampleSea.heightMetres - sampleBar.heightMetres,
        errorMetres,
      }
    }
    return best
  }

  /** Above mean sea level. */
  function groundBelow(mover: Mover): Omit<Height, 'altitude'> {
    for (const { other } of grounds(mover, 1, nearGroundDegrees)) {
      const sea = toMslOf(other.altitudes)
      if (sea) return { heightMetres: sea.heightMetres, errorMetres: groundErrorMetres + sea.errorMetres }
    }
    const { lowMetres, highMetres } = anyGround
    return { heightMetres: (lowMetres + highMetres) / 2, errorMetres: (highMetres - lowMetres) / 2 }
  }

  return {
    compare(own, other) {
      const direct = compareAltitudes(own, other)
      if (direct) return direct
      const [a, b] = [aboveSea(own), aboveSea(other)]
      if (!a || !b) return undefined
      return {
        own: a.altitude,
        other: b.altitude,
        upMetres: b.heightMetres - a.heightMetres,
        uncertaintyMetres: a.errorMetres + b.errorMetres,
      }
    },
    above(datum, mover) {
      const altitude = bestAbove(datum, mover.altitudes)
      if (altitude) return { altitude, heightMetres: altitude.heightMetres, errorMetres: conversionError(altitude) }
      const sea = aboveSea(mover)
      if (!sea) return undefined
      if (datum === 'msl') return sea
      if (datum === 'wgs84') return { ...sea, errorMetres: sea.errorMetres + geoidMetres }
      if (datum === 'bar') {
        const errorMetres = sea.errorMetres + weatherMetres + temperatureShare * Math.abs(sea.heightMetres)
        return { ...sea, errorMetres }
      }
      const ground = groundBelow(mover)
      return {
        altitude: sea.altitude,
        heightMetres: sea.heightMetres - ground.heightMetres,
        errorMetres: sea.errorMetres + ground.errorMetres,
      }
    },
  }
}

/** Above mean sea level, without a bound on pressure or ground. */
function toMslOf(altitudes: readonly MoverAltitude[]): Height | undefined {
  const msl = bestAbove('msl', altitudes)
  if (msl) return { altitude: msl, heightMetres: msl.heightMetres, errorMetres: conversionError(msl) }
  const wgs84 = bestAbove('wgs84', altitudes)
  return (
    wgs84 && { altitude: wgs84, heightMetres: wgs84.heightMetres, errorMetres: conversionError(wgs84) + geoidMetres }
  )
}

function isGivenAbove(datum: AltitudeDatum, altitudes: readonly MoverAltitude[]): boolean {
  return bestAbove(datum, altitudes)?.isGiven === true
}

/** The nearest ones that match; the index is made when it is first needed. */
function createIndex(movers: readonly Mover[], matches: (mover: Mover) => unknown) {
  let made: { found: Mover[]; index: Flatbush | undefined } | undefined
  return (mover: Mover, count: number, degrees?: number): { other: Mover; metres: number }[] => {
    made ??= toIndex(movers.filter(matches))
    const { found, index } = made
    return (index?.neighbors(mover.lonDegrees, mover.latDegrees, count, degrees) ?? []).flatMap((at) => {
      const other = found[at]
      if (!other || other === mover) return []
      const { eastMetres, northMetres } = offsetBetween(mover, other)
      return [{ other, metres: Math.hypot(eastMetres, northMetres) }]
    })
  }
}

function toIndex(found: Mover[]): { found: Mover[]; index: Flatbush | undefined } {
  if (found.length === 0) return { found, index: undefined }
  const index = new Flatbush(found.length)
  for (const { lonDegrees, latDegrees } of found) index.add(lonDegrees, latDegrees)
  index.finish()
  return { found, index }
}
