/**
 * The correlator: makes one track of what all sensors report of a target.
 * In: receptions and ticks, in the order of the account's queue. Out: one track per target, and why each sensor's
 * positions belong to it. Pure and deterministic: the same receptions and ticks give the same tracks.
 * docs/air-method.md describes the method.
 */
import type { Association, Reception, Track, TrackPoint } from '../track/track.ts'
import { associate, type Decision, type Start } from './association/associate.ts'
import { contribute } from './association/contribute.ts'
import { join } from './association/join.ts'
import type { Observation } from './association/observation.ts'
import { toAssociation } from './association/sentences.ts'
import { start } from './association/start.ts'
import { toMeasured } from './filter/measured.ts'
import { forgetSensor } from './forget-sensor.ts'
import { age, heard } from './lifecycle.ts'
import { absorb } from './merge/absorb.ts'
import { searchClocks } from './merge/clock-search.ts'
import { findPairs } from './merge/pairs.ts'
import { absorbReappearance } from './merge/reappearance.ts'
import { lifeParameters } from './parameters.ts'
import type { CorrelatorCounts } from './picture.ts'
import { removeCommonErrors } from './sensors/common-errors.ts'
import { placeOf } from './sensors/errors-at.ts'
import { ownErrorsOfCompared } from './sensors/own-errors.ts'
import { rank } from './sensors/rank.ts'
import { correctTime } from './sensors/sensor.ts'
import { boundPolarErrors, learnSite } from './sensors/site.ts'
import { type SensorErrors, toErrors } from './sensors/sure-errors.ts'
import { type CorrelatorSnapshot, createPicture, toSnapshot } from './snapshot.ts'
import { type History, toPoints } from './targets/history.ts'
import { isStrong } from './targets/identifiers.ts'
import { toTrackId, toTrackNumber } from './targets/target.ts'
import { toUsable } from './usable.ts'

export interface CorrelatorOptions {
  /** Default: 10,000. */
  maxTracks?: number
  /** Of `snapshot()`: the tracker continues from there. */
  snapshot?: CorrelatorSnapshot
}

export interface TrackHistory {
  track: Pick<Track, 'id' | 'type' | 'identifiers'>
  history: History
  hasEnded: boolean
}

export interface CorrelatorChanges {
  /** Tracks that began or changed. */
  changed: Track[]
  ended: { id: string; mergedInto?: string }[]
  associations: Association[]
}

/** Tracks are changed in place: read them before the next call of `observe` or `advance`. */
export interface Correlator {
  /** Returns the ID of the track that took the position; undefined if none did, see `counts`. */
  observe(reception: Reception): string | undefined
  /** For ticks: tracks coast, end and merge. */
  advance(nowMs: number): void
  /** The account no longer has the sensor: tracks that it alone reported end. */
  forgetSensor(deviceUrn: string): void
  /** In the order in which they began. */
  tracks(): Iterable<Track>
  find(trackId: string): Track | undefined
  /**
   * What has changed since the last call; call it often, because ended tracks collect until then. A restored tracker
   * starts without changes.
   */
  takeChanges(): CorrelatorChanges
  /** Oldest first; empty for an unknown track. */
  history(trackId: string): readonly TrackPoint[]
  /** Of all tracks, and of those that ended in the last ten minutes, if the tracker is not restored since. */
  histories(): Iterable<TrackHistory>
  /** Newest first; empty for an unknown track. */
  associations(trackId: string): readonly Association[]
  /** What the targets of several sensors show of the errors of one. */
  errorsOf(deviceUrn: string): SensorErrors
  /** What entered no track, or left early, since the beginning. */
  counts(): Readonly<CorrelatorCounts>
  /** It has the objects of the tracker: write it as JSON before the next call of `observe` or `advance`. */
  snapshot(): CorrelatorSnapshot
}

/** @throws RangeError when `maxTracks` is not a whole number from 1. */
export function createCorrelator({ maxTracks = 10_000, snapshot }: CorrelatorOptions = {}): Correlator {
  if (!Number.isInteger(maxTracks) || maxTracks < 1) {
    throw new RangeError(`"maxTracks" must be a whole number from 1, got ${maxTracks}`)
  }
  const picture = createPicture(maxTracks, snapshot)
  const { index, changes, counts } = picture
  const findTarget = (trackId: string) => index.targets.get(toTrackNumber(trackId) ?? 0)

  return {
    observe(given) {
      const reception = toUsable(given)
      picture.nowMs = Math.max(picture.nowMs, reception.receivedAtMs)
      removeCommonErrors(picture, reception.receivedAtMs)
      const observation = toObservation(reception)
      if (reception.receivedAtMs - observation.measured.timeMs > lifeParameters.maxLatenessMs) {
        counts.late++
        return undefined
      }
      return take(observation, associate(index, observation))
    },
    advance(nowMs) {
      picture.nowMs = Math.max(picture.nowMs, nowMs)
      age(picture)
      const pairs = findPairs(picture)
      searchClocks(picture)
      picture.ownErrors = ownErrorsOfCompared(index.sensors.values())
      for (const { older, younger, comparisons } of pairs) absorb(picture, older, younger, { comparisons })
    },
    forgetSensor: (deviceUrn) => forgetSensor(picture, deviceUrn),
    *tracks() {
      for (const { track } of index.targets.values()) yield track
    },
    find: (trackId) => findTarget(trackId)?.track,
    takeChanges() {
      const taken = {
        changed: [...changes.changed].map(({ track }) => track),
        ended: changes.ended,
        associations: changes.associations.map((decided) => toAssociation(decided, decided.trackId)),
      }
      changes.changed = new Set()
      changes.ended = []
      changes.associations = []
      return taken
    },
    history: (trackId) => {
      const target = findTarget(trackId)
      return target ? toPoints(target.history) : []
    },
    *histories() {
      for (const { track, history } of index.targets.values()) yield { track, history, hasEnded: false }
      for (const { track, history } of picture.past) yield { track, history, hasEnded: true }
    },
    associations: (trackId) =>
      (findTarget(trackId)?.associations ?? []).map((decided) => toAssociation(decided, trackId)),
    errorsOf(deviceUrn) {
      const sensor = index.sensors.get(deviceUrn)
      return sensor ? toErrors(sensor) : {}
    },
    counts: () => counts,
    snapshot: () => toSnapshot(picture),
  }

  function toObservation(reception: Reception): Observation {
    const { deviceUrn, position, receivedAtMs, sensorPosition } = reception
    const sensor = index.sensor(deviceUrn)
    const { sourceId } = position.target
    const reportMs = correctTime(sensor, position.timeMs, receivedAtMs)
    if (sensorPosition) learnSite(sensor, sensorPosition, receivedAtMs)
    const measured = toMeasured(position, reportMs, placeOf(sensor, position))
    rank(sensor, position.target.identifiers.some(isStrong), Math.sqrt(measured.variance))
    boundPolarErrors(sensor, measured, receivedAtMs)
    return {
      reception,
      sensor,
      measured,
      reportMs,
      altitudeTimesMs: position.altitudes.map(({ ageMs = 0 }) => reportMs - ageMs),
      sourceId,
    }
  }

  function take(observation: Observation, decision: Decision): string | undefined {
    if (decision.kind === 'ambiguous') {
      counts.ambiguous++
      return undefined
    }
    if (decision.kind === 'start') return begin(observation, decision)
    const { target, distance } = decision
    const silentMs = observation.measured.timeMs - target.motion.timeMs
    const source = join(picture, observation, decision)
    if (contribute(picture, target, source, observation, decision) === 'diverged') {
      return begin(observation, { kind: 'start', reason: 'split', other: target, distance, because: 'diverged' })
    }
    if (decision.reason !== 'gate') absorbReappearance(picture, target, observation, silentMs)
    heard(picture, target)
    return target.track.id
  }

  function begin(observation: Observation, decision: Start): string | undefined {
    const target = start(picture, observation, decision)
    return target && toTrackId(target.number)
  }
}
