/**
 * The alerts of an account's air picture.
 * In: the tracks and sensors, about once a second; the areas that are watched. Out: alerts, raised, updated and ended.
 * Pure: the same calls give the same alerts, also after a snapshot in between. Not for navigation.
 */
import type { AirAlert, AirAreaList } from '@posrep/spec'
import type { Track } from '../track/track.ts'
import { type AlertBookSnapshot, type Condition, createAlertBook } from './alert-book.ts'
import { createAreaWatch } from './areas/find-entries.ts'
import { type ConflictMemory, createConflictFinder } from './conflicts/find-conflicts.ts'
import { findEmergencies } from './emergencies.ts'
import { createHeights } from './heights.ts'
import { findIdentityConflicts } from './identity-conflicts.ts'
import { type Mover, toMover } from './mover.ts'
import { findWrongClocks } from './sensor-clocks.ts'
import { type SeparationSetting, separationSettings } from './separation.ts'
import { findSilentSensors, type SensorActivity } from './silent-sensors.ts'

export interface Alerts {
  /** `nowMs` must not be less than at the update before. */
  update(nowMs: number, picture: { tracks: Iterable<Track>; sensors: Iterable<SensorActivity> }): void
  setAreas(areas: AirAreaList): void
  /** The alerts that were raised, updated or ended since the last call, as they are now. */
  takeChanges(): AirAlert[]
  /** The active alerts, newest first, then those that ended in the last hour; at most 1,000. */
  list(): AirAlert[]
  /** What the latest update left out. */
  counts(): AlertsCounts
  /** JSON. The objects in it are shared and must not be changed. */
  snapshot(): AlertsSnapshot
}

export interface AlertsCounts {
  /** Tracks in so large a crowd that they were not compared with all others near them, or with all areas. */
  crowded: number
  /** Conditions that are no alerts, because there are too many at once. */
  more: number
}

export interface AlertsOptions {
  /** Limits of conflicts. Default `automatic`. */
  separation?: SeparationSetting
  /** Continues from here. */
  snapshot?: AlertsSnapshot
}

export interface AlertsSnapshot {
  version: 2
  book: AlertBookSnapshot
  conflicts: ConflictMemory
  areas: AirAreaList
}

/** @throws RangeError when `separation` is none of the settings. */
export function createAlerts({ separation = 'automatic', snapshot }: AlertsOptions = {}): Alerts {
  if (!separationSettings.includes(separation)) {
    throw new RangeError(`"separation" must be one of ${separationSettings.join(', ')}, got "${separation}"`)
  }
  const book = createAlertBook(snapshot?.book)
  const conflicts = createConflictFinder(separation, snapshot?.conflicts)
  let areas: AirAreaList = snapshot?.areas ?? { type: 'FeatureCollection', features: [] }
  let areaWatch = createAreaWatch(areas)

  function* findConditions(nowMs: number, movers: Mover[], sensors: readonly SensorActivity[]): Generator<Condition> {
    yield* findSilentSensors(sensors)
    yield* findWrongClocks(sensors, book.isActive)
    yield* findEmergencies(movers)
    yield* findIdentityConflicts(movers, nowMs, book.isActive)
    const heights = createHeights(movers)
    yield* areaWatch.find(nowMs, movers, heights, book.isActive)
    yield* conflicts.find(nowMs, movers, heights, book.isActive)
  }

  return {
    update(nowMs, { tracks, sensors }) {
      const movers: Mover[] = []
      for (const track of tracks) {
        const mover = track.state === 'tentative' ? undefined : toMover(track, nowMs)
        if (mover) movers.push(mover)
      }
      book.update(nowMs, findConditions(nowMs, movers, [...sensors]))
    },
    setAreas(given) {
      areas = given
      areaWatch = createAreaWatch(areas)
    },
    takeChanges: book.takeChanges,
    list: book.list,
    counts: () => ({ crowded: conflicts.leftOut() + areaWatch.leftOut(), more: book.more() }),
    snapshot: () => ({ version: 2, book: book.snapshot(), conflicts: conflicts.snapshot(), areas }),
  }
}
