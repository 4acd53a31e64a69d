/**
 * A decision as a track keeps it: what its sentence is made of, because sentences would take most of the memory of a flood.
 * In: what was decided. Out: the association, with its sentence, when somebody reads it.
 */
import type { Association } from '../../track.ts'
import { toSentence } from './sentences.ts'

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

/** `trackId`: the track that has the decision now; its sentence names the one for which it was made. */
export function toAssociation(decided: Decided, trackId: string): Association {
  const { because, comparisons, silentMs, ...association } = decided
  return { ...association, trackId, text: toSentence(decided) }
}
