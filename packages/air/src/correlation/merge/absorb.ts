/**
 * Makes two tracks of one target into one.
 * In: the older and the younger track, and the reason. Out: the older one has the sources, identifiers, altitudes and
 * history of both.
 */
import type { StandardIdentifier } from '../../standard/standard-position.ts'
import type { Decided } from '../association/decided.ts'
import { hasRoomFor, historyLimit } from '../budget.ts'
import { classifyAgain } from '../classify.ts'
import type { Motion } from '../filter/estimate.ts'
import { predict } from '../filter/motion.ts'
import { heard } from '../lifecycle.ts'
import { boundParameters } from '../parameters.ts'
import { addAssociation, endTarget, type Picture } from '../picture.ts'
import { showEstimate } from '../show.ts'
import { mergeHistories } from '../targets/history.ts'
import { areSame } from '../targets/identifiers.ts'
import type { Source, Target } from '../targets/target.ts'

export type MergeReason = { identifier: StandardIdentifier } | { comparisons: number } | { silentMs: number }

export function absorb(picture: Picture, older: Target, younger: Target, why: MergeReason): void {
  endTarget(picture, younger, older)
  takeMotion(older, younger)
  takeSources(picture, older, younger)
  takeIdentifiers(picture, older, younger)
  takeAltitudes(older, younger)
  const { track } = older
  const other = younger.track
  classifyAgain(older)
  if (track.onGround === undefined && other.onGround !== undefined) track.onGround = other.onGround
  track.positions += other.positions
  track.receivedAtMs = Math.max(track.receivedAtMs, other.receivedAtMs)
  older.heardAtMs = Math.max(older.heardAtMs, younger.heardAtMs)
  older.startedAtMs = Math.min(older.startedAtMs, younger.startedAtMs)
  older.hits += younger.hits
  older.history = mergeHistories(older.history, younger.history, historyLimit(picture.index))
  older.associations = [...older.associations, ...younger.associations].sort((a, b) => b.timeMs - a.timeMs)
  showEstimate(picture, older)
  heard(picture, older)
  addAssociation(picture, older, toDecided(older, younger, why))
  picture.changes.changed.add(older)
}

function toDecided(older: Target, younger: Target, why: MergeReason): Decided {
  const [source] = younger.track.contributions
  return {
    trackId: older.track.id,
    timeMs: older.track.timeMs,
    deviceUrn: younger.deviceUrn,
    ...(source?.sourceId !== undefined && { sourceId: source.sourceId }),
    reason: 'merged',
    otherTrackId: younger.track.id,
    ...why,
    because: toBecause(why),
  }
}

function toBecause(why: MergeReason): Decided['because'] {
  if ('identifier' in why) return 'mergedByIdentifier'
  return 'comparisons' in why ? 'mergedByPosition' : 'mergedAfterSilence'
}

/** The more accurate estimate of the two, at the later of their times. */
function takeMotion(older: Target, younger: Target): void {
  const timeMs = Math.max(older.motion.timeMs, younger.motion.timeMs)
  predict(older.motion, timeMs)
  predict(younger.motion, timeMs)
  if (uncertainty(younger.motion) < uncertainty(older.motion)) {
    Object.assign(older.motion, younger.motion)
    older.deviceUrn = younger.deviceUrn
  }
  if (!older.climb || (younger.climb && younger.climb.timeMs > older.climb.timeMs)) {
    if (younger.climb) older.climb = younger.climb
  }
}

function uncertainty({ along, across }: Motion): number {
  return along.position + across.position
}

function takeSources({ index }: Picture, older: Target, younger: Target): void {
  const { contributions } = older.track
  for (const source of younger.track.contributions) {
    const same = contributions.find((one) => one.deviceUrn === source.deviceUrn && one.sourceId === source.sourceId)
    if (same) join(same, source)
    else contributions.push(source)
  }
  contributions.sort((a, b) => b.lastSeenMs - a.lastSeenMs)
  for (const { deviceUrn, sourceId } of contributions.splice(boundParameters.contributions)) {
    if (sourceId !== undefined) index.removeSource(older, deviceUrn, sourceId)
  }
  for (const { deviceUrn, sourceId } of contributions) {
    const { sources } = index.sensor(deviceUrn)
    if (sourceId !== undefined && !sources.has(sourceId)) sources.set(sourceId, older)
  }
}

function join(into: Source, source: Source): void {
  into.positions += source.positions
  into.lastSeenMs = Math.max(into.lastSeenMs, source.lastSeenMs)
  into.sinceMs = Math.min(into.sinceMs, source.sinceMs)
  into.inGateMs = Math.max(into.inGateMs, source.inGateMs)
  if (source.timeMs > into.timeMs) {
    into.timeMs = source.timeMs
    into.latDegrees = source.latDegrees
    into.lonDegrees = source.lonDegrees
    if (source.saysOnGround !== undefined) into.saysOnGround = source.saysOnGround
    if (source.type !== undefined) into.type = source.type
    if (source.confidencePercent !== undefined) into.confidencePercent = source.confidencePercent
  }
}

function takeIdentifiers({ index }: Picture, older: Target, younger: Target): void {
  const { identifiers } = older.track
  for (const identifier of younger.track.identifiers) {
    if (identifiers.some((one) => areSame(one, identifier)) || !hasRoomFor(identifiers, identifier)) continue
    identifiers.push(identifier)
    index.addIdentifier(older, identifier)
  }
}

function takeAltitudes(older: Target, younger: Target): void {
  younger.altitudes.forEach((altitude, position) => {
    const timeMs = younger.altitudeTimesMs[position] ?? 0
    const index = older.altitudes.findIndex(({ datum }) => datum === altitude.datum)
    if (index < 0) {
      older.altitudes.push(altitude)
      older.altitudeTimesMs.push(timeMs)
    } else if (timeMs > (older.altitudeTimesMs[index] ?? 0)) {
      older.altitudes[index] = altitude
      older.altitudeTimesMs[index] = timeMs
    }
  })
}
