/**
 * The tracker: makes tracks from the receptions of the sensors of one account.
 * In: receptions and ticks, in the order of the account's queue. Out: one track per target, and why each sensor's positions belong to
 * it. Pure and deterministic: the same receptions and ticks give the same tracks. Decision 0051 describes the method.
 */
import type { Association, Reception, Track, TrackPoint } from '../track.ts'
import { associate, type Decision, type Start } from './association/associate.ts'
import { contribute } from './association/contribute.ts'
import { join } from './association/join.ts'
import type { Observation } from './association/observation.ts'
import { divergedSentence } from './association/sentences.ts'
import { start } from './association/start.ts'
import { toMeasured } from './filter/measured.ts'
import { withUsableAltitudes } from './filter/usable-altitudes.ts'

import { forgetSensor } from './forget-sensor.ts'
import { age, heard } from './lifecycle.ts'
import { absorb } from './merge/absorb.ts'
import { findPairs } from './merge/pairs.ts'
import { absorbReappearance } from './merge/reappearance.ts'
import { boundParameters, lifeParameters } from './parameters.ts'
import type { TrackerCounts } from './picture.ts'
import { correctTime } from './sensors.ts'
import { createPicture, type TrackerSnapshot, toSnapshot } from './snapshot.ts'
import { type History, toPoints } from './targets/history.ts'
import { toTrackId, toTrackNumber } from './targets/target.ts'

export interface TrackerOptions {
  /** Default: 10,000. */
  maxTracks?: number
  /** Of `snapshot()`: the tracker continues from there. */
  snapshot?: TrackerSnapshot
}

export interface TrackHistory {
  track: Pick<Track, 'id' | 'type' | 'identifiers'>
  history: History
  hasEnded: boolean
}

export interface TrackerChanges {
  /** Tracks that began or changed. */
  changed: Track[]
  ended: { id: string; mergedInto?: string }[]
  associations: Association[]
}

/** Tracks are changed in place: read them before the next call of `observe` or `advance`. */
export interface Tracker {
  /** Returns the ID of the track that took the position; undefined if none did, see `counts`. */
  observe(reception: Reception): string | undefined
  /** For ticks: tracks coast, end and merge. */
  advance(nowMs: number): void
  /** The account no longer has the sensor: tracks that it alone reported end. */
  forgetSensor(deviceUrn: string): void
  /** In the order in which they began. */
  tracks(): Iterable<Track>
  find(trackId: string): Track | undefined
  /** What has changed since the last call; call it often, because ended tracks collect until then. A restored tracker starts without changes. */
  takeChanges(): TrackerChanges
  /** Oldest first; empty for an unknown track. */
  history(trackId: string): readonly TrackPoint[]
  /** Of all tracks, and of those that ended in the last ten minutes, if the tracker is not restored since. */
  histories(): Iterable<TrackHistory>
  /** Newest first; empty for an unknown track. */
  associations(trackId: string): readonly Association[]
  /** What entered no track, or left early, since the beginning. */
  counts(): Readonly<TrackerCounts>
  /** It has the objects of the tracker: write it as JSON before the next call of `observe` or `advance`. */
  snapshot(): TrackerSnapshot
}

/** @throws RangeError when `maxTracks` is not a whole number from 1. */
export function createTracker({ maxTracks = 10_000, snapshot }: TrackerOptions = {}): Tracker {
  if (!Number.isInteger(maxTracks) || maxTracks < 1) {
    throw new RangeError(`"maxTracks" must be a whole number from 1, got ${maxTracks}`)
  }
  const picture = createPicture(maxTracks, snapshot)
  const { index, changes, counts } = picture
  const findTarget = (trackId: string) => index.targets.get(toTrackNumber(trackId) ?? 0)

  return {
    observe(given) {
      const reception = withUsableAltitudes(given)
      picture.nowMs = Math.max(picture.nowMs, reception.receivedAtMs)
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
      for (const { older, younger, comparisons } of findPairs(picture)) absorb(picture, older, younger, { comparisons })
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
        associations: changes.associations,
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
    associations: (trackId) => findTarget(trackId)?.associations ?? [],
    counts: () => counts,
    snapshot: () => toSnapshot(picture),
  }

  function toObservation(reception: Reception): Observation {
    const { deviceUrn, position, receivedAtMs } = reception
    const sensor = index.sensor(deviceUrn)
    const { sourceId } = position.target
    const reportMs = correctTime(sensor, position.timeMs, receivedAtMs)
    return {
      reception,
      sensor,
      measured: toMeasured(position, reportMs),
      reportMs,
      altitudeTimesMs: position.altitudes.map(({ ageMs = 0 }) => reportMs - ageMs),
      sourceId: sourceId !== undefined && sourceId.length <= boundParameters.idCharacters ? sourceId : undefined,
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
      const text = divergedSentence(distance, target.track.id)
      return begin(observation, { kind: 'start', reason: 'split', other: target, distance, text })
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
