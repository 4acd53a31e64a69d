/**
 * What alerts and outputs call a target.
 * In: its identifiers, and of which kind each is. Out: the best one; undefined if it has none of these kinds.
 */
import type { StandardIdentifier } from '../standard/standard-position.ts'

const order = ['CallSign', 'Registration', 'ICAO', 'SerialNumber']

/** Compared are identifiers without punctuation; shown is what was sent. */
export function toShownId({ kind, id, written = id }: Pick<StandardIdentifier, 'kind' | 'id' | 'written'>): string {
  return kind === 'ICAO' ? id : written
}

export function findName<T extends { id: string }>(
  identifiers: readonly T[],
  kindOf: (identifier: T) => string | undefined,
): string | undefined {
  for (const kind of order) {
    const name = identifiers.find((one) => kindOf(one) === kind && one.id.trim() !== '')?.id.trim()
    if (name !== undefined) return name
  }
  return undefined
}
