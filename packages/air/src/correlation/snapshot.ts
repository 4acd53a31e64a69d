/**
 * The state of a tracker as JSON, and the state made from it. Restoring gives a tracker that goes on exactly as the
 * first one would.
 */
import { type ErrorCovariance, noErrors } from './filter/error-covariance.ts'
import type { CorrelatorCounts, PartnerEvidence, Picture } from './picture.ts'
import type { SensorSnapshot } from './sensors/sensor.ts'
import type { Target } from './targets/target.ts'
import { createTargetIndex, type TargetIndex } from './targets/target-index.ts'

/** JSON. Its content is private to the tracker. */
export interface CorrelatorSnapshot {
  version: 6
  nextNumber: number
  nowMs: number
  targets: Target[]
  /** Numbers of tracks, in order. */
  tentative: number[]
  coasting: number[]
  compareFrom: number
  ownErrors: ErrorCovariance
  commonErrorsAtMs: number
  sensors: (SensorSnapshot & { sources: [sourceId: string, track: number][] })[]
  evidence: PartnerEvidence[]
  counts: CorrelatorCounts
}

/** Not a copy: that of 10,000 tracks took as long as writing them. */
export function toSnapshot({
  index,
  nextNumber,
  nowMs,
  tentative,
  coasting,
  compareFrom,
  ownErrors,
  commonErrorsAtMs,
  evidence,
  counts,
}: Picture): CorrelatorSnapshot {
  return {
    version: 6,
    nextNumber,
    nowMs,
    targets: [...index.targets.values()],
    tentative: [...tentative].map(({ number }) => number),
    coasting: [...coasting].map(({ number }) => number),
    compareFrom,
    ownErrors,
    commonErrorsAtMs,
    sensors: [...index.sensors.values()].map(({ sources, ...sensor }) => ({
      ...sensor,
      sources: [...sources].map(([sourceId, { number }]): [string, number] => [sourceId, number]),
    })),
    // Sorted, because the order depends on when the tracker was started.
    evidence: [...evidence].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found),
    counts,
  }
}

/** @throws Error when the snapshot is of another version. */
export function createPicture(maxTracks: number, snapshot?: CorrelatorSnapshot): Picture {
  const picture: Picture = {
    index: createTargetIndex(),
    maxTracks,
    nextNumber: 1,
    nowMs: 0,
    tentative: new Set(),
    coasting: new Set(),
    past: [],
    compareFrom: 0,
    ownErrors: noErrors,
    commonErrorsAtMs: 0,
    evidence: new Map(),
    counts: { late: 0, ambiguous: 0, refused: 0, evicted: 0, delayed: 0 },
    changes: { changed: new Set(), ended: [], associations: [] },
  }
  if (snapshot) restore(picture, structuredClone(snapshot))
  return picture
}

function restore(picture: Picture, snapshot: CorrelatorSnapshot): void {
  if (snapshot.version !== 6) throw new Error(`Snapshot of the tracker has version ${snapshot.version}, expected 6`)
  const { index } = picture
  picture.nextNumber = snapshot.nextNumber
  picture.nowMs = snapshot.nowMs
  picture.compareFrom = snapshot.compareFrom
  picture.ownErrors = snapshot.ownErrors
  picture.commonErrorsAtMs = snapshot.commonErrorsAtMs
  Object.assign(picture.counts, snapshot.counts)
  // In the order of the first tracker, which the tracks alone do not give.
  for (const { deviceUrn } of snapshot.sensors) index.sensor(deviceUrn)
  for (const target of snapshot.targets) {
    shareUrns(index, target)
    index.add(target)
  }
  for (const number of snapshot.tentative) addTo(picture.tentative, index.targets.get(number))
  for (const number of snapshot.coasting) addTo(picture.coasting, index.targets.get(number))
  for (const { sources, ...sensor } of snapshot.sensors) {
    const restored = index.sensor(sensor.deviceUrn)
    Object.assign(restored, sensor)
    // The sources of tracks name more than the sensor does: one that left a track is in its contributions for some
    // time.
    restored.sources.clear()
    for (const [sourceId, number] of sources) {
      const target = index.targets.get(number)
      if (target) restored.sources.set(sourceId, target)
    }
  }
  for (const evidence of snapshot.evidence) picture.evidence.set(`${evidence.a} ${evidence.b}`, evidence)
}

/** Each URN once in memory, as before the snapshot. */
function shareUrns(index: TargetIndex, target: Target): void {
  const shared = (deviceUrn: string) => index.sensors.get(deviceUrn)?.deviceUrn ?? deviceUrn
  target.deviceUrn = shared(target.deviceUrn)
  target.history.deviceUrns = target.history.deviceUrns.map(shared)
  for (const named of [...target.track.contributions, ...target.associations]) named.deviceUrn = shared(named.deviceUrn)
}

function addTo(targets: Set<Target>, target: Target | undefined): void {
  if (target) targets.add(target)
}
