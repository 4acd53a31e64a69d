/**
 * The limits below which two tracks are in conflict, as named presets from published values.
 * In: a preset, or `automatic`, and what is known of a pair. Out: the limits for the pair. See docs/decisions/0052.
 */
import type { AirSeparation } from '@posrep/spec'

/** `automatic`: chosen for each pair by `limitsFor`. */
export type SeparationSetting = 'automatic' | SeparationPreset
export type SeparationPreset = keyof typeof separationPresets
export const separationSettings: readonly SeparationSetting[] = [
  'automatic',
  'well-clear',
  'well-clear-terminal',
  'low-altitude-drone',
  'en-route',
  'near-mid-air',
  'formation',
]

const metresPerFoot = 0.3048
const metresPerNauticalMile = 1_852

const separationPresets = {
  /**
   * 4,000 ft, 450 ft, 35 s of modified tau: well clear en route of RTCA DO-365, from Cook, Brooks, Cole, Hackenberg and
   * Raska, "Defining Well Clear for Unmanned Aircraft Systems", AIAA Infotech @ Aerospace, 2015.
   */
  'well-clear': preset('well-clear', 4_000 * metresPerFoot, 450 * metresPerFoot, 35),
  /**
   * 1,500 ft and 450 ft: well clear in terminal areas of RTCA DO-365A, whose modified tau is 0. It alerts 45 s before;
   * the look-ahead is ours, because in a circuit more time only finds turns that have not begun.
   */
  'well-clear-terminal': preset('well-clear-terminal', 1_500 * metresPerFoot, 450 * metresPerFoot, 30),
  /**
   * 2,000 ft and 250 ft: well clear of small drones of ASTM F3442/F3442M, from Weinert, Campbell, Vela, Schuldt and
   * Kurucar, "Well-Clear Recommendation for Small Unmanned Aircraft Systems Based on Unmitigated Collision Risk",
   * Journal of Air Transportation 26(3), 2018. It has no time; a minute is ours.
   */
  'low-altitude-drone': preset('low-altitude-drone', 2_000 * metresPerFoot, 250 * metresPerFoot, 60),
  /**
   * 5 NM and 1,000 ft: ICAO Doc 4444 (PANS-ATM), 8.7.3 and 5.3.2. Two minutes is the usual look-ahead of short-term
   * conflict alerts.
   */
  'en-route': preset('en-route', 5 * metresPerNauticalMile, 1_000 * metresPerFoot, 120),
  /**
   * 500 ft and 100 ft: the near mid-air collision of RTCA DO-365. 25 s is the tau of TCAS's traffic advisories below
   * 2,350 ft.
   */
  'near-mid-air': preset('near-mid-air', 500 * metresPerFoot, 100 * metresPerFoot, 25),
  /** No published value: closer than flights in formation keep, with the accuracy of ADS-B. */
  formation: preset('formation', 30, 15, 10),
} satisfies Record<string, AirSeparation>

export interface PairTraits {
  hasDrone: boolean
  /** Speed over ground of the faster one. */
  speedMetresPerSecond: number
  /** Height above ground of the higher one, at most; undefined if one of them has no altitude. */
  heightMetres: number | undefined
  /** Together at the same relative position for a while. */
  isFormation: boolean
}

/**
 * A pair that is low and slow may be in a circuit or on parallel approaches. 200 kt is the limit near airports of 14
 * CFR 91.117(b), 3,000 ft is ours: circuits and the last 10 NM of an approach are below it.
 */
const terminalSpeedMetresPerSecond = (200 * metresPerNauticalMile) / 3_600
const terminalHeightMetres = 3_000 * metresPerFoot

export function limitsFor(setting: SeparationSetting, pair: PairTraits): AirSeparation {
  if (setting !== 'automatic') return separationPresets[setting]
  if (pair.isFormation) return separationPresets.formation
  if (pair.hasDrone) return separationPresets['low-altitude-drone']
  const isTerminal =
    pair.speedMetresPerSecond <= terminalSpeedMetresPerSecond &&
    pair.heightMetres !== undefined &&
    pair.heightMetres <= terminalHeightMetres
  return separationPresets[isTerminal ? 'well-clear-terminal' : 'well-clear']
}

/** No pair has larger limits. */
export function largestLimits(setting: SeparationSetting, hasDrone: boolean): AirSeparation {
  if (setting !== 'automatic') return separationPresets[setting]
  const clear = separationPresets['well-clear']
  if (!hasDrone) return clear
  return { ...clear, lookAheadSeconds: separationPresets['low-altitude-drone'].lookAheadSeconds }
}

function preset(
  name: string,
  horizontalMetres: number,
  verticalMetres: number,
  lookAheadSeconds: number,
): AirSeparation {
  return { preset: name, horizontalMetres, verticalMetres, lookAheadSeconds }
}
