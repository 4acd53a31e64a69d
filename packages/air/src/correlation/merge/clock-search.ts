/**
 * Finds sensors whose clock is so wrong that none of their targets is where the others have it.
 * In: the picture, once a second. Out: the clocks are corrected, and the tracks that such a sensor alone has are moved
 * in time. A clock that is 10 s late puts each target 10 s back on its path. So the anonymous tracks of the sensor are
 * compared with identified ones that fly the same path: each gives an offset, and if most of the sensor's tracks give
 * the same one for some seconds, it is that of the clock. One pair alone may be two aircraft in trail; it is only no
 * conflict while both fly alike.
 */
import { eastOf, frameAt, northOf } from '../filter/local-frame.ts'
import { clockSearchParameters } from '../parameters.ts'
import type { Picture } from '../picture.ts'
import { outranks } from '../sensors/rank.ts'
import { doubtClock, type Sensor } from '../sensors/sensor.ts'
import { isStrong } from '../targets/identifiers.ts'
import type { Target } from '../targets/target.ts'
import { addDouble } from './pairs.ts'

const { maxSeconds, leastSeconds, targets: leastTargets, share, toleranceSeconds, ticks } = clockSearchParameters
const { acrossMetres, velocityMetresPerSecond, heightMetres, maxTargets } = clockSearchParameters

export function searchClocks(picture: Picture): void {
  for (const [sensor, own] of findAnonymous(picture)) {
    const offsets = own.map((target) => findOffsets(picture, sensor, target))
    const best = findCommon(offsets)
    const isCommon = best !== undefined && best.count >= leastTargets && best.count >= share * own.length
    const { search } = sensor
    if (!isCommon) {
      search.ticks = Math.max(0, search.ticks - 1)
      continue
    }
    search.ticks = Math.abs(best.seconds - search.seconds) <= toleranceSeconds ? search.ticks + 1 : 1
    search.seconds = best.seconds
    if (search.ticks < ticks) continue
    search.ticks = 0
    sensor.offsetSeconds += best.seconds
    doubtClock(sensor, toleranceSeconds)
    for (const target of own) moveInTime(target, -best.seconds * 1_000)
  }
}

/** Live tracks that one sensor alone reports, and does not name. */
function findAnonymous({ index }: Picture): Map<Sensor, Target[]> {
  const found = new Map<Sensor, Target[]>()
  for (const target of index.targets.values()) {
    const { track, deviceUrn } = target
    if (track.state !== 'live' || track.identifiers.some(isStrong) || !track.velocity) continue
    if (track.contributions.some((source) => source.deviceUrn !== deviceUrn)) continue
    const sensor = index.sensor(deviceUrn)
    const own = found.get(sensor)
    if (!own) found.set(sensor, [target])
    else if (own.length < maxTargets) own.push(target)
  }
  return found
}

/** By how many seconds the clock would be ahead if the target were one that is identified. */
function findOffsets({ index }: Picture, sensor: Sensor, target: Target): number[] {
  const offsets: number[] = []
  const { latDegrees, lonDegrees } = target.track
  index.visitNear(latDegrees, lonDegrees, (other) => {
    if (other === target || !other.track.identifiers.some(isStrong)) return
    if (other.track.contributions.some(({ deviceUrn }) => deviceUrn === sensor.deviceUrn)) return
    if (!outranks(index.sensor(other.deviceUrn), sensor)) return
    const seconds = offsetOnPath(target, other)
    if (seconds === undefined) return
    offsets.push(seconds)
    addDouble(target, other)
  })
  return offsets
}

/** Undefined if the two do not fly the same path. */
function offsetOnPath({ motion, climb }: Target, other: Target): number | undefined {
  const { eastMetresPerSecond: east, northMetresPerSecond: north } = other.motion
  const speed = Math.hypot(east, north)
  if (speed < velocityMetresPerSecond) return undefined
  const turned = Math.hypot(motion.eastMetresPerSecond - east, motion.northMetresPerSecond - north)
  if (turned > velocityMetresPerSecond) return undefined
  const sameDatum = climb && other.climb && climb.datum === other.climb.datum
  if (sameDatum && Math.abs(climb.heightMetres - (other.climb?.heightMetres ?? 0)) > heightMetres) return undefined
  const frame = frameAt(other.motion)
  const apartSeconds = (motion.timeMs - other.motion.timeMs) / 1_000
  const x = eastOf(frame, other.motion, motion) - east * apartSeconds
  const y = northOf(frame, other.motion, motion) - north * apartSeconds
  const seconds = -(x * east + y * north) / (speed * speed)
  const isOnPath = Math.abs(y * east - x * north) / speed <= acrossMetres
  return isOnPath && Math.abs(seconds) >= leastSeconds && Math.abs(seconds) <= maxSeconds ? seconds : undefined
}

/** The offset that most targets have, within the tolerance. */
function findCommon(offsets: readonly (readonly number[])[]): { seconds: number; count: number } | undefined {
  let best: { seconds: number; count: number } | undefined
  for (const candidate of offsets.flat()) {
    const near = offsets.flatMap((of) => of.find((one) => Math.abs(one - candidate) <= toleranceSeconds) ?? [])
    if (best && near.length <= best.count) continue
    best = { seconds: near.reduce((sum, one) => sum + one, 0) / near.length, count: near.length }
  }
  return best
}

function moveInTime(target: Target, ms: number): void {
  const { motion, climb, track, altitudeTimesMs } = target
  motion.timeMs += ms
  track.timeMs += ms
  if (climb) {
    climb.timeMs += ms
    climb.altitudeMs += ms
  }
  target.altitudeTimesMs = altitudeTimesMs.map((timeMs) => timeMs + ms)
  for (const source of track.contributions) {
    source.sinceMs += ms
    source.timeMs += ms
    source.inGateMs += ms
  }
}
