/**
 * A decision as a track keeps it: what its sentence is made of. Sentences would take most of the memory of a flood, so
 * `sentences.ts` makes them when somebody reads the decision.
 */
import type { Association } from '../../track/track.ts'

export interface Decided extends Omit<Association, 'text'> {
  because: Because
  /** Of a merge: how often both tracks had the same place. */
  comparisons?: number
  /** Of a merge: how long the target had been silent. */
  silentMs?: number
}

export type Because =
  | 'identifier'
  | 'source'
  | 'gate'
  | 'learnt'
  | 'exchanged'
  | 'nothingNear'
  | Misfit
  | 'jumped'
  | 'diverged'
  | 'contradicted'
  | 'mergedByIdentifier'
  | 'mergedByPosition'
  | 'mergedAfterSilence'

/** Why a position does not belong to the nearest track. */
export type Misfit = 'misfits' | 'hasOtherIdentifier' | 'isOtherOfSensor' | 'isNotTheOnlyOne'
