/**
 * What identifiers say about two targets.
 * Strong ones name one aircraft: ICAO address, serial number, IMEI, registration. Call signs and others, such as
 * addresses that ICAO did not assign, are weak: they confirm, and contradict nothing.
 */
import type { StandardIdentifier } from '../../standard/standard-position.ts'

export function isStrong({ kind }: StandardIdentifier): boolean {
  return kind !== 'CallSign' && kind !== 'other'
}

/** Key of an index. */
export function toKey({ kind, id, type }: StandardIdentifier): string {
  return kind === 'other' ? `other ${type ?? ''} ${id}` : `${kind} ${id}`
}

/**
 * Their ICAO addresses decide if both have one. Else: both have strong identifiers of one kind, and no strong one in
 * common.
 */
export function areContradictory(a: readonly StandardIdentifier[], b: readonly StandardIdentifier[]): boolean {
  if (a.some(isAddress) && b.some(isAddress)) return !haveCommon(a.filter(isAddress), b)
  return !haveCommon(a, b) && a.some((one) => isStrong(one) && b.some(({ kind }) => kind === one.kind))
}

/** A strong identifier that both have. */
export function haveCommon(a: readonly StandardIdentifier[], b: readonly StandardIdentifier[]): boolean {
  return a.some((one) => isStrong(one) && b.some((other) => areSame(one, other)))
}

/** Strong identifiers, the address first. */
export function strongOf(identifiers: readonly StandardIdentifier[]): StandardIdentifier[] {
  const strong = identifiers.filter(isStrong)
  return [...strong.filter(isAddress), ...strong.filter((one) => !isAddress(one))]
}

function isAddress({ kind }: StandardIdentifier): boolean {
  return kind === 'ICAO'
}

export function areSame(a: StandardIdentifier, b: StandardIdentifier): boolean {
  return a.id === b.id && a.kind === b.kind && (a.kind !== 'other' || a.type === b.type)
}
