/**
 * Finds tracks that are one target.
 * In: the picture, once a second. Out: pairs to merge. Two tracks are compared at one time by their difference over the
 * sum of their covariances; the common process noise of the two is left out, which widens the test (Bar-Shalom, Campo,
 * IEEE Trans. AES 22 (1986)). They are one target when nearly all of several comparisons are inside the gate and no
 * other partner fits nearly as well.
 */
import { areDistinct, areToldApart, isAnonymous } from '../association/distinct.ts'
import { distanceBetweenTargets } from '../association/gate.ts'
import { gateParameters, mergeParameters } from '../parameters.ts'
import type { PartnerEvidence, Picture } from '../picture.ts'
import { areContradictory } from '../targets/identifiers.ts'
import type { Target } from '../targets/target.ts'
import { weighRivals } from './rivals.ts'

export interface Pair {
  older: Target
  younger: Target
  comparisons: number
}

/** Compares tracks that are near each other. The pairs have no track in common. */
export function findPairs(picture: Picture): Pair[] {
  const { index, evidence, nowMs } = picture
  compareAll(picture)
  for (const [key, { a, b, comparedAtMs }] of evidence) {
    const isOld = nowMs - comparedAtMs > mergeParameters.forgetMs
    if (isOld || !index.targets.has(a) || !index.targets.has(b)) evidence.delete(key)
  }
  markDoubles(picture)
  return choose(picture)
}

/** What is not decided yet is no conflict: two tracks that have had the same place and velocity in all comparisons. */
function markDoubles({ index, evidence }: Picture): void {
  for (const { track } of index.targets.values()) delete track.doubles
  const pairs = [...evidence.values()].flatMap((found): [Target, Target][] => {
    const a = index.targets.get(found.a)
    const b = index.targets.get(found.b)
    return a && b && found.misses === 0 && (isEcho(a, b, found) || !areDistinct(a, b)) ? [[a, b]] : []
  })
  // The order of the evidence depends on when the tracker was started.
  pairs.sort(([a, b], [c, d]) => a.number - c.number || b.number - d.number)
  for (const [a, b] of pairs) addDouble(a, b)
}

export function addDouble(target: Target, other: Target): void {
  target.track.doubles ??= []
  if (target.track.doubles.length < maxPartners) target.track.doubles.push(other.track.id)
}

/** From the track at which the tick before ended, once around, until the work is used up. */
function compareAll(picture: Picture): void {
  const { index, counts, compareFrom } = picture
  const doubles = [...index.targets.values()].filter((target) => mayBeDouble(picture, target))
  const first = Math.max(
    0,
    doubles.findIndex(({ number }) => number >= compareFrom),
  )
  picture.compareFrom = 0
  let work = 0
  for (let step = 0; step < doubles.length; step++) {
    const target = doubles[(first + step) % doubles.length]
    if (!target) break
    if (work >= maxWork) {
      picture.compareFrom = target.number
      counts.delayed += doubles.length - step
      break
    }
    work += compareWithNeighbours(picture, target)
  }
}

/** One of two tracks that may be one target has no ICAO address, or an identifier that another track has too. */
function mayBeDouble({ index }: Picture, target: Target): boolean {
  if (!target.track.identifiers.some(({ kind }) => kind === 'ICAO')) return true
  return index.doubles.has(target)
}

/** Returns the work. */
function compareWithNeighbours(picture: Picture, target: Target): number {
  const { index, nowMs } = picture
  // The estimate has not changed since the tick before the last, so there is nothing new to compare.
  if (nowMs - target.heardAtMs > mergeParameters.maxAgeMs) return 0
  let work = 0
  index.visitNear(target.track.latDegrees, target.track.lonDegrees, (other) => {
    work++
    if (other === target || (other.number > target.number && mayBeDouble(picture, other))) return
    if (!isNear(target, other)) return
    work += comparisonWork
    compare(picture, target, other)
  })
  return work
}

function isNear({ motion: a }: Target, { motion: b }: Target): boolean {
  if (Math.abs(a.timeMs - b.timeMs) > mergeParameters.maxAgeMs) return false
  const x = a.x - b.x
  const y = a.y - b.y
  const z = a.z - b.z
  return (x * x + y * y + z * z) * earthRadiusMetres ** 2 < gateParameters.searchMetres ** 2
}

const earthRadiusMetres = 6_371_000

function compare(picture: Picture, one: Target, two: Target): void {
  const { index, evidence, nowMs, maxTracks } = picture
  const [a, b] = one.number < two.number ? [one, two] : [two, one]
  if (areContradictory(a.track.identifiers, b.track.identifiers)) return
  if (areToldApart(a, b) && !isAnonymous(a) && !isAnonymous(b)) {
    weighRivals(picture, a, b)
    return
  }
  const key = `${a.number} ${b.number}`
  const known = evidence.get(key)
  const timeMs = Math.max(a.motion.timeMs, b.motion.timeMs)
  if (known && timeMs <= known.timeMs) return
  const [older, newer] = a.motion.timeMs <= b.motion.timeMs ? [a, b] : [b, a]
  const distance = distanceBetweenTargets(older, index.sensor(older.deviceUrn), newer, index.sensor(newer.deviceUrn))
  if (!known && (!distance.isInside || evidence.size >= maxPartners * maxTracks)) return
  const found = known ?? {
    a: a.number,
    b: b.number,
    hits: 0,
    misses: 0,
    squared: 0,
    sinceMs: timeMs,
    timeMs,
    comparedAtMs: nowMs,
  }
  if (distance.isInside) found.hits++
  else found.misses++
  found.squared += Math.min(distance.squared, maxSquared)
  found.timeMs = timeMs
  found.comparedAtMs = nowMs
  if (found.misses > found.hits) evidence.delete(key)
  else evidence.set(key, found)
}

const { maxPartners, maxWork, comparisonWork } = mergeParameters
const maxSquared = 2 * gateParameters.bounds[4]

function choose({ index, evidence }: Picture): Pair[] {
  const ready = [...evidence.values()].filter((found) => isEnough(index.targets, found))
  if (ready.length === 0) return []
  ready.sort((one, two) => meanOf(one) - meanOf(two) || one.a - two.a || one.b - two.b)
  const byTarget = new Map<number, PartnerEvidence[]>()
  for (const found of evidence.values()) {
    for (const number of [found.a, found.b]) {
      const list = byTarget.get(number)
      if (list) list.push(found)
      else byTarget.set(number, [found])
    }
  }
  const taken = new Set<number>()
  const pairs: Pair[] = []
  for (const found of ready) {
    const older = index.targets.get(found.a)
    const younger = index.targets.get(found.b)
    if (!older || !younger || taken.has(found.a) || taken.has(found.b)) continue
    const rivals = [...(byTarget.get(found.a) ?? []), ...(byTarget.get(found.b) ?? [])]
    if (rivals.some((rival) => isAmbiguous(index.targets, found, rival))) continue
    taken.add(found.a)
    taken.add(found.b)
    pairs.push({ older, younger, comparisons: found.hits })
  }
  return pairs
}

function isEnough(targets: ReadonlyMap<number, Target>, found: PartnerEvidence): boolean {
  const { hits, durationMs, echoHits, echoDurationMs, sameSensorHits, sameSensorDurationMs, hitShare } = mergeParameters
  const a = targets.get(found.a)
  const b = targets.get(found.b)
  if (!a || !b) return false
  const elapsedMs = found.timeMs - found.sinceMs
  if (isEcho(a, b, found)) return found.hits >= echoHits && elapsedMs >= echoDurationMs
  if (found.hits < hits || found.hits < hitShare * (found.hits + found.misses)) return false
  return areToldApart(a, b)
    ? found.hits >= sameSensorHits && elapsedMs >= sameSensorDurationMs
    : elapsedMs >= durationMs
}

/** One of both is anonymous, and has been in the place of the other since it began. */
function isEcho(a: Target, b: Target, { misses, sinceMs }: PartnerEvidence): boolean {
  const echo = isAnonymous(b) ? b : a
  if (misses > 0 || isAnonymous(a) === isAnonymous(b)) return false
  const beganMs = Math.min(...echo.track.contributions.map((source) => source.sinceMs))
  return sinceMs - beganMs <= echoBeganMs
}

/** Comparisons come once a second. */
const echoBeganMs = 2_500

/** Another partner of one of the two fits nearly as well, and cannot be the same target as the first partner. */
function isAmbiguous(targets: ReadonlyMap<number, Target>, found: PartnerEvidence, rival: PartnerEvidence): boolean {
  if (rival === found || rival.hits <= rival.misses) return false
  const isOfA = rival.a === found.a || rival.b === found.a
  const partner = targets.get(isOfA ? found.b : found.a)
  const shared = isOfA ? found.a : found.b
  const other = targets.get(rival.a === shared ? rival.b : rival.a)
  if (!partner || !other || !areDistinct(partner, other)) return false
  const comparisons = Math.min(found.hits + found.misses, rival.hits + rival.misses)
  return (meanOf(rival) - meanOf(found)) * comparisons < mergeParameters.ambiguity
}

function meanOf({ squared, hits, misses }: PartnerEvidence): number {
  return squared / (hits + misses)
}
