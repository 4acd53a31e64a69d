/**
 * The life of alerts: a condition that holds is raised as an alert, updated, and ended after its cause is gone.
 * In: at each update all conditions that hold. Out: alerts, and those that changed. Pure: the time is the update's.
 */
import type { AirAlert } from '@posrep/spec'
import { toTimestamp } from './timestamp.ts'

/** Something that holds at the moment of an update. */
export interface Condition {
  /** Identifies the cause, such as the pair of tracks, from update to update. */
  key: string
  kind: AirAlert['kind']
  /** Raised at once, because there is little time. */
  isUrgent: boolean
  /** Called only for an alert that is raised or active. */
  describe(): AlertContent
  /** Whether an active alert must be written again. It gets what is shown, and when that was written. */
  hasChanged(shown: AlertDetails, updatedAtMs: number): boolean
}

export type AlertDetails = Pick<
  AirAlert,
  'conflict' | 'area' | 'silentSensor' | 'identityConflict' | 'sensorClock' | 'emergency'
>

export interface AlertContent extends AlertDetails {
  text: string
  /** The sentence after the end. */
  endText: string
}

export interface AlertBook {
  /** Each condition has its own key. */
  update(nowMs: number, conditions: Iterable<Condition>): void
  /** Whether the alert of this condition is active. It then ends only when it is clear of larger limits. */
  isActive(key: string): boolean
  takeChanges(): AirAlert[]
  /** How many conditions of the latest update should be alerts, and are not, because they are too many. */
  more(): number
  /** The active alerts, newest first, then those that ended in the last hour, newest first. */
  list(): AirAlert[]
  snapshot(): AlertBookSnapshot
}

export interface AlertBookSnapshot {
  raised: number
  more?: number
  pending: { key: string; updates: number }[]
  active: ActiveAlert[]
  ended: AirAlert[]
  changed: string[]
}

interface ActiveAlert {
  key: string
  alert: AirAlert
  endText: string
  /** The last time that the condition held. */
  heldAtMs: number
}

/** A condition that is not urgent is raised when it holds in so many updates in a row. */
const updatesUntilRaised: Record<AirAlert['kind'], number> = {
  conflict: 3,
  area: 2,
  silentSensor: 1,
  identityConflict: 3,
  sensorClock: 5,
  emergency: 2,
}
/** An alert ends when its condition has not held for so long. */
const clearMs: Record<AirAlert['kind'], number> = {
  conflict: 5_000,
  area: 5_000,
  silentSensor: 0,
  identityConflict: 10_000,
  sensorClock: 10_000,
  emergency: 5_000,
}
const endedTtlMs = 3_600_000
/** Of active and ended alerts together. No further alert is raised while so many are active. */
const maxAlerts = 1_000
/** Alerts that one update writes, new ones first. The next updates write the others. */
const maxWritten = 250

export function createAlertBook(snapshot?: AlertBookSnapshot): AlertBook {
  let raised = snapshot?.raised ?? 0
  let more = snapshot?.more ?? 0
  let pending = new Map((snapshot?.pending ?? []).map(({ key, updates }) => [key, updates]))
  const active = new Map((snapshot?.active ?? []).map((entry) => [entry.key, { ...entry }]))
  /** Oldest end first. */
  let ended: AirAlert[] = [...(snapshot?.ended ?? [])]
  let changed = new Set(snapshot?.changed ?? [])

  function raise(nowMs: number, { key, kind, describe }: Condition): void {
    const time = toTimestamp(nowMs)
    const { endText, ...content } = describe()
    raised++
    const id = `a${raised.toString(36)}`
    const alert: AirAlert = { id, kind, state: 'active', raisedAt: time, updatedAt: time, endedAt: null, ...content }
    active.set(key, { key, alert, endText, heldAtMs: nowMs })
    changed.add(id)
  }

  function rewrite(entry: ActiveAlert, nowMs: number, { describe }: Condition): void {
    const { endText, ...content } = describe()
    entry.alert = { ...entry.alert, ...content, updatedAt: toTimestamp(nowMs) }
    entry.endText = endText
    changed.add(entry.alert.id)
  }

  function endCleared(nowMs: number): void {
    for (const { key, alert, endText, heldAtMs } of active.values()) {
      if (heldAtMs === nowMs || nowMs - heldAtMs < clearMs[alert.kind]) continue
      active.delete(key)
      const time = toTimestamp(nowMs)
      ended.push({ ...alert, state: 'ended', text: endText, updatedAt: time, endedAt: time })
      changed.add(alert.id)
    }
    const room = maxAlerts - active.size
    const firstKept = ended.findIndex(({ endedAt }) => endedAt && nowMs - Date.parse(endedAt) < endedTtlMs)
    const recent = firstKept < 0 ? [] : ended.slice(firstKept)
    // Whoever takes the changes learns of each end, also if there is no room.
    ended = recent.filter(({ id }, index) => index >= recent.length - room || changed.has(id))
  }

  function all(): AirAlert[] {
    return [...[...active.values()].map(({ alert }) => alert).reverse(), ...ended.toReversed()]
  }

  return {
    update(nowMs, conditions) {
      const held = new Map<string, number>()
      const toRaise: Condition[] = []
      const toRewrite: [ActiveAlert, Condition][] = []
      for (const condition of conditions) {
        const { key, kind, isUrgent, hasChanged } = condition
        const entry = active.get(key)
        if (entry) {
          entry.heldAtMs = nowMs
          if (hasChanged(entry.alert, Date.parse(entry.alert.updatedAt))) toRewrite.push([entry, condition])
          continue
        }
        const updates = (pending.get(key) ?? 0) + 1
        held.set(key, updates)
        if (isUrgent || updates >= updatesUntilRaised[kind]) toRaise.push(condition)
      }
      const raising = toRaise.splice(0, Math.min(maxWritten, maxAlerts - active.size))
      more = toRaise.length
      // The ids must not depend on the order in which the conditions were found.
      for (const condition of raising.sort((a, b) => (a.key < b.key ? -1 : 1))) {
        held.delete(condition.key)
        raise(nowMs, condition)
      }
      pending = held
      for (const [entry, condition] of oldestFirst(toRewrite, maxWritten - raising.length)) {
        rewrite(entry, nowMs, condition)
      }
      endCleared(nowMs)
    },
    isActive: (key) => active.has(key),
    takeChanges() {
      if (changed.size === 0) return []
      const taken = all().filter(({ id }) => changed.has(id))
      changed = new Set()
      return taken
    },
    more: () => more,
    list: () => all().slice(0, maxAlerts),
    snapshot: () => ({
      raised,
      more,
      pending: [...pending].map(([key, updates]) => ({ key, updates })),
      active: [...active.values()].map((entry) => ({ ...entry })),
      ended: [...ended],
      changed: [...changed],
    }),
  }
}

/** Up to `room` of them: all in their order, or, of too many, those that were written the longest time ago. */
function oldestFirst(entries: [ActiveAlert, Condition][], room: number): [ActiveAlert, Condition][] {
  if (entries.length <= room) return entries
  return entries.sort(([a], [b]) => Date.parse(a.alert.updatedAt) - Date.parse(b.alert.updatedAt)).slice(0, room)
}
