/**
 * Encounters of two aircraft: near mid-air collisions that must be alerted, and safe passes that must not.
 * In: a seed, a number, who sees them. Out: what was missed, what was alerted needlessly, and how the first advice
 * does.
 */
import type { AirAdvice, AirAlert } from '@posrep/spec'
import { displaced, offsetMetres, type TrueState, type TrueTarget } from './metrics/truth.ts'
import { isNearMidAir } from './metrics/well-clear.ts'
import { createRandom } from './random.ts'
import { createOurs } from './run.ts'
import { fly, type Leg, startMs } from './scenarios/flights.ts'
import { adsb, observe, radar } from './scenarios/sensors.ts'
import { toAddress } from './scenarios/traffic.ts'

export interface EncounterFigures {
  nearMidAirs: number
  missed: number
  safe: number
  safeAlerted: number
  /** Of encounters in straight lines with advice. */
  advised: number
  reversed: number
  /** Headings that are begun 10 s after the alert, and how many of them keep the horizontal or the vertical limit. */
  headings: number
  kept: number
}

/** Of the closest approach. */
const meetingSeconds = 100
const lengthSeconds = 130

export function runEncounters(seed: number, count: number, sensorName: 'adsb' | 'radar'): EncounterFigures {
  const random = createRandom(seed * 104_729)
  const sum: EncounterFigures = {
    nearMidAirs: 0,
    missed: 0,
    safe: 0,
    safeAlerted: 0,
    advised: 0,
    reversed: 0,
    headings: 0,
    kept: 0,
  }
  const sensor = sensorName === 'adsb' ? adsb : radar
  for (let number = 0; number < count; number++) {
    const isSafe = number % 7 >= 4
    const turns = !isSafe && number % 7 === 3
    const targets = makePair(random, isSafe, turns)
    const alerts = alertsOf(targets, [sensor], seed * 1_000 + number)
    const [first] = alerts
    if (isSafe) {
      sum.safe++
      if (first) sum.safeAlerted++
      continue
    }
    const nearMs = findNear(targets)
    if (nearMs !== undefined) {
      sum.nearMidAirs++
      if (!first || Date.parse(first.alert.raisedAt) > nearMs) sum.missed++
    }
    if (turns || !first) continue
    judgeAdvice(sum, first, targets)
  }
  return sum
}

/** An alert as it was raised, and the first advice of each later second. */
interface Followed {
  alert: AirAlert
  later: (AirAdvice | undefined)[]
  /** The true target of each track. */
  ownerOf: (trackId: string) => TrueTarget | undefined
}

function alertsOf(targets: readonly TrueTarget[], sensors: Parameters<typeof observe>[1], seed: number): Followed[] {
  const maker = createOurs()
  const sightings = observe(targets, sensors, lengthSeconds, seed)
  const found = new Map<string, Followed>()
  let at = 0
  for (let nowMs = startMs; nowMs <= startMs + lengthSeconds * 1_000; nowMs += 1_000) {
    for (let next = sightings[at]; next && next.receivedAtMs <= nowMs; next = sightings[++at]) maker.add(next)
    maker.advance(nowMs)
    const tracks = maker.tracks()
    for (const alert of maker.takeAlerts()) {
      if (alert.kind !== 'conflict' || alert.state !== 'active') continue
      const known = found.get(alert.id)
      if (known) {
        known.later.push(alert.conflict?.advice[0])
        continue
      }
      const owners = new Map(tracks.map((track) => [track.id, nearestTo(targets, nowMs, track)]))
      found.set(alert.id, { alert, later: [], ownerOf: (trackId) => owners.get(trackId) })
    }
  }
  return [...found.values()]
}

function nearestTo(targets: readonly TrueTarget[], nowMs: number, track: { latDegrees: number; lonDegrees: number }) {
  const distance = (target: TrueTarget) => {
    const state = target.at(nowMs)
    return state ? Math.hypot(...offsetMetres(state, track)) : Number.POSITIVE_INFINITY
  }
  return targets.toSorted((a, b) => distance(a) - distance(b))[0]
}

type Random = ReturnType<typeof createRandom>

/** The second one is placed so that it passes the first at the given distance at `meetingSeconds`. */
function makePair(random: Random, isSafe: boolean, turns: boolean): TrueTarget[] {
  const speeds = [60 + 140 * random.uniform(), 60 + 140 * random.uniform()] as const
  const courses = [360 * random.uniform(), 360 * random.uniform()] as const
  const miss = isSafe ? 1_900 + 2_100 * random.uniform() : 120 * random.uniform()
  const side = random.uniform() < 0.5 ? -1 : 1
  const level = 1_500 + 4_000 * random.uniform()
  const difference = isSafe ? 30 * random.uniform() : 20 * random.uniform()
  const legs = (isTurning: boolean): Leg[] =>
    isTurning
      ? [{ seconds: meetingSeconds - 30 }, { seconds: 20, turnDegreesPerSecond: 1.5 }, { seconds: 60 }]
      : [{ seconds: lengthSeconds + 60 }]
  return [0, 1].map((which) => {
    const plan = {
      identity: toAddress(which),
      eastMetres: 0,
      northMetres: 0,
      pressureMetres: level + which * difference,
      courseDegrees: courses[which] ?? 0,
      speedMetresPerSecond: speeds[which] ?? 0,
      legs: legs(turns && which === 0),
    }
    // Where it would be then tells where it has to begin.
    const meeting = fly(plan).at(startMs + meetingSeconds * 1_000)
    const [east, north] = meeting ? offsetMetres(origin, meeting) : [0, 0]
    const [offsetEast, offsetNorth] = which === 1 ? missVector(speeds, courses, miss * side) : [0, 0]
    return fly({ ...plan, eastMetres: offsetEast - east, northMetres: offsetNorth - north })
  })
}

const origin = { latDegrees: 60, lonDegrees: 25 }
const radians = Math.PI / 180

/** Across the relative velocity. */
function missVector(
  speeds: readonly [number, number],
  courses: readonly [number, number],
  metres: number,
): [number, number] {
  const [u, v] = [Math.sin, Math.cos].map(
    (part) => speeds[1] * part(courses[1] * radians) - speeds[0] * part(courses[0] * radians),
  ) as [number, number]
  const speed = Math.max(1, Math.hypot(u, v))
  return [(metres * v) / speed, (-metres * u) / speed]
}

function findNear([own, other]: readonly TrueTarget[]): number | undefined {
  for (let seconds = 0; seconds <= lengthSeconds; seconds += 0.5) {
    const timeMs = startMs + seconds * 1_000
    const [a, b] = [own?.at(timeMs), other?.at(timeMs)]
    if (a && b && isNearMidAir(a, b)) return timeMs
  }
  return undefined
}

function judgeAdvice(sum: EncounterFigures, { alert, later, ownerOf }: Followed, targets: readonly TrueTarget[]): void {
  const first = alert.conflict?.advice.find(({ kind }) => kind !== 'none')
  if (!first || !alert.conflict) return
  sum.advised++
  if (later.some((one) => one !== undefined && isReversed(first, one))) sum.reversed++
  if (first.kind !== 'heading' || first.trackId === undefined || first.turnDegrees === undefined) return
  const own = ownerOf(first.trackId)
  const other = targets.find((one) => one !== own)
  if (!own || !other) return
  sum.headings++
  const raisedAtMs = Date.parse(alert.raisedAt)
  if (keepsLimits(own, other, raisedAtMs, first.turnDegrees, alert.conflict.limits)) sum.kept++
}

/** The same track is told to turn to the other side. */
function isReversed(first: AirAdvice, later: AirAdvice): boolean {
  if (first.trackId !== later.trackId) return false
  const turned = (first.turnDegrees ?? 0) * (later.turnDegrees ?? 0) < 0
  return turned || (first.levelChangeMetres ?? 0) * (later.levelChangeMetres ?? 0) < 0
}

const reactionSeconds = 10
const turnDegreesPerSecond = 3

function keepsLimits(
  own: TrueTarget,
  other: TrueTarget,
  raisedAtMs: number,
  turnDegrees: number,
  limits: { horizontalMetres: number; verticalMetres: number },
): boolean {
  const begins = own.at(raisedAtMs + reactionSeconds * 1_000)
  if (!begins) return true
  const speed = Math.hypot(begins.eastMetresPerSecond, begins.northMetresPerSecond)
  const rate = Math.min(turnDegreesPerSecond, (Math.tan(25 * radians) * 9.81) / speed / radians)
  let course = Math.atan2(begins.eastMetresPerSecond, begins.northMetresPerSecond) / radians
  let place: TrueState = begins
  for (let seconds = 0; seconds < 100; seconds += 0.5) {
    const seen = other.at(raisedAtMs + (reactionSeconds + seconds) * 1_000)
    if (!seen) return true
    const vertical = Math.abs(seen.geometricMetres - place.geometricMetres)
    if (Math.hypot(...offsetMetres(place, seen)) < limits.horizontalMetres && vertical < limits.verticalMetres)
      return false
    if (Math.abs(turnDegrees) > seconds * rate) course += Math.sign(turnDegrees) * rate * 0.5
    place = displaced(place, Math.sin(course * radians) * speed * 0.5, Math.cos(course * radians) * speed * 0.5)
  }
  return true
}
