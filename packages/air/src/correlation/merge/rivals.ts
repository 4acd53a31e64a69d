/**
 * Decides again which of two targets a sensor without identifiers has where another sensor names one. Aircraft of a
 * formation are as far apart as sensors may be off, so the first decision of the gate may be wrong, and the sensor's
 * own ids keep it.
 * In: a named track and a track beside it, with a target of one sensor each, once a second. Out: the two targets of
 * that sensor change places when the other one is where the named source is, by the mean of several comparisons. What
 * the sensors are off is common to all comparisons, so that more of them do not make it less.
 */
import { takeSourceOf } from '../association/join.ts'
import { classifyAgain } from '../classify.ts'
import { acrossVarianceOf, alongVarianceOf } from '../filter/error-covariance.ts'
import { eastOf, frameAt, northOf, type Vector } from '../filter/local-frame.ts'
import { restartAt } from '../filter/motion.ts'
import { accuracyParameters, rivalParameters } from '../parameters.ts'
import { addAssociation, type Picture } from '../picture.ts'
import { errorsBetween, placeOf } from '../sensors/errors-at.ts'
import { isIdentifying } from '../sensors/rank.ts'
import type { Sensor } from '../sensors/sensor.ts'
import { showEstimate } from '../show.ts'
import { isStrong } from '../targets/identifiers.ts'
import type { Rival, Source, Target } from '../targets/target.ts'

const { comparisons: leastComparisons, memory, advantage, maxApartMs } = rivalParameters

/** The sensor tells the two tracks apart. */
export function weighRivals(picture: Picture, one: Target, two: Target): void {
  const named = findNamed(picture, one) ? one : two
  const other = named === one ? two : one
  const namedSource = findNamed(picture, named)
  if (!namedSource || other.track.identifiers.some(isStrong)) return
  for (const source of named.track.contributions) {
    if (source.sourceId === undefined || isIdentifying(picture.index.sensor(source.deviceUrn))) continue
    const rival = other.track.contributions.find(
      ({ deviceUrn, sourceId }) =>
        deviceUrn === source.deviceUrn && sourceId !== undefined && sourceId !== source.sourceId,
    )
    if (!rival || !isRivalBetter(picture, named, namedSource, source, rival)) continue
    exchange(picture, named, namedSource, source, other, rival)
    return
  }
}

function findNamed({ index }: Picture, { track }: Target): Source | undefined {
  if (!track.identifiers.some(isStrong)) return undefined
  return track.contributions.find(({ deviceUrn }) => isIdentifying(index.sensor(deviceUrn)))
}

function isRivalBetter(
  { index }: Picture,
  target: Target,
  namedSource: Source,
  source: Source,
  rival: Source,
): boolean {
  const areOfOneTime = [source, rival].every(({ timeMs }) => Math.abs(timeMs - namedSource.timeMs) <= maxApartMs)
  const known = source.rival?.sourceId === rival.sourceId ? source.rival : undefined
  if (!areOfOneTime || (known && known.timeMs >= source.timeMs)) return false
  const sensor = index.sensor(source.deviceUrn)
  const reference = index.sensor(namedSource.deviceUrn)
  const { eastMetresPerSecond: east, northMetresPerSecond: north } = target.motion
  const speed = Math.max(Math.hypot(east, north), leastSpeed)
  const place = placeOf(reference, namedSource)
  const own = differenceOf(target, namedSource, place, source, sensor)
  const others = differenceOf(target, namedSource, place, rival, sensor)
  const count = (known?.comparisons ?? 0) + 1
  const gain = 1 / Math.min(count, memory)
  const mean = (before: number | undefined, now: number) => (before ?? now) + gain * (now - (before ?? now))
  const found: Rival = {
    sourceId: rival.sourceId ?? '',
    comparisons: count,
    timeMs: source.timeMs,
    along: mean(known?.along, own.along),
    across: mean(known?.across, own.across),
    rivalAlong: mean(known?.rivalAlong, others.along),
    rivalAcross: mean(known?.rivalAcross, others.across),
    advantage: 0,
  }
  source.rival = found
  const noise =
    (sensor.sigmaMetres ** 2 + reference.sigmaMetres ** 2) * gain +
    (accuracyParameters.biasShareOfAccuracy * sensor.sigmaMetres) ** 2
  const errors = errorsBetween(sensor, reference, place)
  const [alongEast, alongNorth] = [east / speed, north / speed]
  const alongVariance = noise + alongVarianceOf(errors, alongEast, alongNorth, speed)
  const acrossVariance = noise + acrossVarianceOf(errors, alongEast, alongNorth)
  found.advantage =
    (found.along ** 2 - found.rivalAlong ** 2) / alongVariance +
    (found.across ** 2 - found.rivalAcross ** 2) / acrossVariance
  return count >= leastComparisons && found.advantage >= advantage
}

/** How far the source is from the named one, along and across the velocity of the target. */
function differenceOf(
  { motion }: Target,
  namedSource: Source,
  from: Vector,
  source: Source,
  sensor: Sensor,
): { along: number; across: number } {
  const { eastMetresPerSecond: vEast, northMetresPerSecond: vNorth } = motion
  const speed = Math.max(Math.hypot(vEast, vNorth), leastSpeed)
  const seconds = (source.timeMs - namedSource.timeMs) / 1_000
  const frame = frameAt(from)
  const to = placeOf(sensor, source)
  const east = eastOf(frame, from, to) - vEast * seconds
  const north = northOf(frame, from, to) - vNorth * seconds
  return { along: (east * vEast + north * vNorth) / speed, across: (north * vEast - east * vNorth) / speed }
}

const leastSpeed = 0.1

/** The two targets of the sensor change places. Both estimates begin again where the sources that stay have them. */
function exchange(
  picture: Picture,
  named: Target,
  namedSource: Source,
  source: Source,
  other: Target,
  rival: Source,
): void {
  takeSourceOf(picture, named, other, rival)
  takeSourceOf(picture, other, named, source)
  restart(picture, named, namedSource)
  restart(picture, other, source)
  for (const [target, of, otherTrackId] of [
    [named, rival, other.track.id],
    [other, source, named.track.id],
  ] as const) {
    classifyAgain(target)
    showEstimate(picture, target)
    picture.changes.changed.add(target)
    addAssociation(picture, target, {
      trackId: target.track.id,
      timeMs: of.timeMs,
      deviceUrn: of.deviceUrn,
      ...(of.sourceId !== undefined && { sourceId: of.sourceId }),
      reason: 'gate',
      otherTrackId,
      because: 'exchanged',
    })
  }
}

function restart({ index }: Picture, target: Target, source: Source): void {
  const sensor = index.sensor(source.deviceUrn)
  restartAt(target.motion, placeOf(sensor, source), source.timeMs, sensor.sigmaMetres ** 2)
  target.deviceUrn = source.deviceUrn
}
