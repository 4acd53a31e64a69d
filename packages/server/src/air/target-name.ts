/**
 * What alerts and outputs call a target.
 * In: its identifiers, and of which kind each is. Out: the best one; undefined if it has none of these kinds.
 */
const order = ['CallSign', 'Registration', 'ICAO', 'SerialNumber']

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
