/**
 * How true the alerts of a picture are.
 * In: alerts as they are raised, with the true targets that their tracks showed then. Out: conflict alerts by kind,
 * identity alerts, lead times to the true loss of well clear, and near mid-air collisions without an alert before them.
 */
import type { AirAlert } from '@posrep/spec'
import type { TrueTarget } from './truth.ts'
import { isNearMidAir, isViolated } from './well-clear.ts'

export interface AlertFigures {
  /** Two targets lose the volume of the alert's own limits within its look-ahead and a minute. */
  real: number
  false: number
  /** Two tracks of one target. */
  self: number
  identity: number
  /** Of true losses of well clear (DO-365) that were alerted: seconds from the alert to the loss; ascending. */
  leadSeconds: number[]
  lossesOfWellClear: number
  nearMidAirs: number
  missedNearMidAirs: number
}

export interface AlertJudge {
  raised(alert: AirAlert, identityOf: (trackId: string) => string | undefined): void
  figures(fromMs: number, toMs: number): AlertFigures
}

const wellClear = { horizontalMetres: 1_219.2, verticalMetres: 137.16, tauSeconds: 35 }
const afterMs = 60_000

export function createAlertJudge(targets: readonly TrueTarget[]): AlertJudge {
  const byIdentity = new Map(targets.map((target) => [target.identity, target]))
  const found: AlertFigures = {
    real: 0,
    false: 0,
    self: 0,
    identity: 0,
    leadSeconds: [],
    lossesOfWellClear: 0,
    nearMidAirs: 0,
    missedNearMidAirs: 0,
  }
  const raisedAt = new Map<string, number>()

  function isReal(own: TrueTarget, other: TrueTarget, alert: AirAlert, raisedAtMs: number): boolean {
    const limits = alert.conflict?.limits
    if (!limits) return false
    const { horizontalMetres, verticalMetres, lookAheadSeconds } = limits
    const untilMs = raisedAtMs + lookAheadSeconds * 1_000 + afterMs
    const volume = { horizontalMetres, verticalMetres, tauSeconds: 0 }
    return findFirst(raisedAtMs - 10_000, untilMs, own, other, (a, b) => isViolated(a, b, volume)) !== undefined
  }

  return {
    raised(alert, identityOf) {
      if (alert.kind === 'identityConflict') found.identity++
      if (alert.kind !== 'conflict' || !alert.conflict) return
      const [one, two] = alert.conflict.tracks.map(({ trackId }) => identityOf(trackId))
      const raisedAtMs = Date.parse(alert.raisedAt)
      if (one !== undefined && one === two) {
        found.self++
        return
      }
      const own = byIdentity.get(one ?? '')
      const other = byIdentity.get(two ?? '')
      if (!own || !other || !isReal(own, other, alert, raisedAtMs)) {
        found.false++
        return
      }
      found.real++
      const pair = pairOf(own, other)
      raisedAt.set(pair, Math.min(raisedAt.get(pair) ?? raisedAtMs, raisedAtMs))
    },
    figures(fromMs, toMs) {
      const lostAt = new Map<string, number>()
      const nearAt = new Map<string, number>()
      for (let timeMs = fromMs; timeMs <= toMs; timeMs += 1_000) {
        const flying = targets.flatMap((target) => {
          const state = target.at(timeMs)
          return state && !state.onGround ? [{ target, state }] : []
        })
        for (const [at, own] of flying.entries()) {
          for (const other of flying.slice(at + 1)) {
            if (Math.abs(own.state.geometricMetres - other.state.geometricMetres) > wellClear.verticalMetres) continue
            const pair = pairOf(own.target, other.target)
            if (!lostAt.has(pair) && isViolated(own.state, other.state, wellClear)) lostAt.set(pair, timeMs)
            if (!nearAt.has(pair) && isNearMidAir(own.state, other.state)) nearAt.set(pair, timeMs)
          }
        }
      }
      for (const [pair, lostMs] of lostAt) {
        const alertedMs = raisedAt.get(pair)
        if (alertedMs !== undefined) found.leadSeconds.push((lostMs - alertedMs) / 1_000)
      }
      for (const [pair, nearMs] of nearAt) {
        found.nearMidAirs++
        if ((raisedAt.get(pair) ?? Number.POSITIVE_INFINITY) > nearMs) found.missedNearMidAirs++
      }
      found.lossesOfWellClear = lostAt.size
      found.leadSeconds.sort((a, b) => a - b)
      return found
    },
  }
}

function pairOf(one: TrueTarget, two: TrueTarget): string {
  return [one.identity, two.identity].sort().join(' ')
}

type Both = (own: Parameters<typeof isNearMidAir>[0], other: Parameters<typeof isNearMidAir>[1]) => boolean

/** Both in flight. */
function findFirst(fromMs: number, toMs: number, own: TrueTarget, other: TrueTarget, holds: Both): number | undefined {
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 1_000) {
    const [a, b] = [own.at(timeMs), other.at(timeMs)]
    if (a && b && !a.onGround && !b.onGround && holds(a, b)) return timeMs
  }
  return undefined
}
