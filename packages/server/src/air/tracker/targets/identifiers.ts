/**
 * What identifiers say about two targets.
 * Strong ones name one aircraft: ICAO address, serial number, IMEI, registration. Call signs and others, such as addresses that
 * ICAO did not assign, are weak: they confirm, and contradict nothing.
 */
import type { StandardIdentifier } from '../../../standard/standard-position.ts'
import { boundParameters } from '../parameters.ts'

export function isStrong({ kind }: StandardIdentifier): boolean {
  return kind !== 'CallSign' && kind !== 'other'
}

/** Key of an index. */
export function toKey({ kind, id, type }: StandardIdentifier): string {
  return kind === 'other' ? `other ${type ?? ''} ${id}` : `${kind} ${id}`
}

/** True if both have a strong identifier of one kind, and none in common. */
export function areContradictory(a: readonly StandardIdentifier[], b: readonly StandardIdentifier[]): boolean {
  for (const identifier of a) {
    if (!isStrong(identifier)) continue
    let contradicted = false
    for (const other of b) {
      if (other.kind !== identifier.kind) continue
      if (other.id === identifier.id) return false
      contradicted = true
    }
    if (contradicted) return true
  }
  return false
}

export function isUsable({ id, type }: StandardIdentifier): boolean {
  return id.length <= boundParameters.idCharacters && (type?.length ?? 0) <= boundParameters.idCharacters
}

export function areSame(a: StandardIdentifier, b: StandardIdentifier): boolean {
  return a.id === b.id && a.kind === b.kind && (a.kind !== 'other' || a.type === b.type)
}
