/**
 * Loss of well clear as DAIDALUS defines it (WCV_TAUMOD), and near mid-air collisions.
 * In: the true states of two targets at one time, and thresholds. Out: whether the volume is violated.
 * Source: Muñoz, Narkawicz et al., "DAIDALUS: Detect and Avoid Alerting Logic for Unmanned Systems", DASC 2015; RTCA
 * DO-365.
 */
import { offsetMetres, type TrueState } from './truth.ts'

export interface WellClear {
  /** DTHR, ZTHR and TTHR; TCOA is 0. */
  horizontalMetres: number
  verticalMetres: number
  tauSeconds: number
}

const nearMidAir: WellClear = { horizontalMetres: 152.4, verticalMetres: 30.48, tauSeconds: 0 }

export function isNearMidAir(own: TrueState, other: TrueState): boolean {
  return isViolated(own, other, nearMidAir)
}

export function isViolated(
  own: TrueState,
  other: TrueState,
  { horizontalMetres, verticalMetres, tauSeconds }: WellClear,
): boolean {
  if (Math.abs(own.geometricMetres - other.geometricMetres) > verticalMetres) return false
  const [x, y] = offsetMetres(own, other)
  const range = Math.hypot(x, y)
  if (range <= horizontalMetres) return true
  const vx = other.eastMetresPerSecond - own.eastMetresPerSecond
  const vy = other.northMetresPerSecond - own.northMetresPerSecond
  const closing = x * vx + y * vy
  if (closing >= 0) return false
  const speedSquared = vx * vx + vy * vy
  const missMetres = Math.abs(x * vy - y * vx) / Math.sqrt(speedSquared)
  const modifiedTau = (horizontalMetres ** 2 - range ** 2) / closing
  return missMetres <= horizontalMetres && modifiedTau <= tauSeconds
}
