/**
 * Finds identifiers that two tracks have at the same time, further apart than their errors explain.
 * In: all tracks at the same time. Out: one condition per pair; with more than two tracks, each is paired with the
 * first, up to 100.
 */
import type { StandardIdentifier } from '../standard/standard-position.ts'
import type { Condition } from './alert-book.ts'
import { offsetBetween } from './local-plane.ts'
import type { Mover } from './mover.ts'
import { nameTrack } from './track-name.ts'

/** Kinds that belong to one target only. Call signs repeat. */
const uniqueKinds = new Set<StandardIdentifier['kind']>(['ICAO', 'Registration', 'SerialNumber', 'IMEI'])
/** Both tracks were received in this time, so that none of them is a target that moved since. */
const maxAgeMs = 15_000
/** Distances up to so many standard deviations are explained by errors. */
const deviations = 5
/** The clocks of sensors may differ by so much. */
const clockErrorSeconds = 2
/** A distance that changes less is not worth an update. */
const meaningfulChange = 0.1
/** Of one identifier: more say no more, and would hide other alerts. */
const maxPairs = 100

export function* findIdentityConflicts(
  movers: readonly Mover[],
  nowMs: number,
  isActive: (key: string) => boolean,
): Generator<Condition> {
  for (const { identifier, holders } of findShared(movers, nowMs)) {
    const [first, ...others] = holders.sort((a, b) => (a.id < b.id ? -1 : 1))
    if (!first) continue
    for (const other of others.slice(0, maxPairs)) {
      const key = `identityConflict ${identifier.kind} ${identifier.id} ${first.id} ${other.id}`
      const { eastMetres, northMetres } = offsetBetween(first, other)
      const distanceMetres = Math.hypot(eastMetres, northMetres)
      const explained = explainedMetres(first, other)
      // An active alert ends at three quarters of the distance at which it is raised.
      if (distanceMetres <= (isActive(key) ? 0.75 * explained : explained)) continue
      yield toCondition(key, identifier, [first, other], distanceMetres)
    }
  }
}

function findShared(movers: readonly Mover[], nowMs: number): { identifier: StandardIdentifier; holders: Mover[] }[] {
  const firstHolders = new Map<string, Mover>()
  const shared = new Map<string, { identifier: StandardIdentifier; holders: Mover[] }>()
  for (const mover of movers) {
    if (nowMs - mover.track.receivedAtMs > maxAgeMs) continue
    for (const identifier of mover.track.identifiers) {
      if (!uniqueKinds.has(identifier.kind)) continue
      const name = `${identifier.kind} ${identifier.id}`
      const first = firstHolders.get(name)
      if (!first) firstHolders.set(name, mover)
      else if (shared.has(name)) shared.get(name)?.holders.push(mover)
      else shared.set(name, { identifier, holders: [first, mover] })
    }
  }
  return [...shared.values()]
}

function explainedMetres(a: Mover, b: Mover): number {
  return (
    deviations * Math.hypot(a.accuracyMetres, b.accuracyMetres) +
    clockErrorSeconds * (a.speedMetresPerSecond + b.speedMetresPerSecond)
  )
}

function toCondition(
  key: string,
  { kind, id, type }: StandardIdentifier,
  [first, other]: [Mover, Mover],
  distanceMetres: number,
): Condition {
  const names = `${nameTrack(first.track)} (${first.id}) and ${nameTrack(other.track)} (${other.id})`
  return {
    key,
    kind: 'identityConflict',
    isUrgent: false,
    describe: () => ({
      text: `${names} both have the ${kind} ${id} and are ${toDistance(distanceMetres)} apart`,
      endText: `${names} no longer have the ${kind} ${id} in two places`,
      identityConflict: {
        identifier: { id, type: type ?? kind },
        trackIds: [first.id, other.id],
        distanceMetres: Math.round(distanceMetres),
      },
    }),
    hasChanged({ identityConflict }) {
      const shown = identityConflict?.distanceMetres ?? 0
      return Math.abs(distanceMetres - shown) > meaningfulChange * shown + 1
    },
  }
}

function toDistance(metres: number): string {
  return metres < 10_000 ? `${Math.round(metres)} m` : `${Math.round(metres / 1_000)} km`
}
