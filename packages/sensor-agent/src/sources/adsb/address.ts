/**
 * Identifiers of a transponder.
 * In: the 24-bit address as hexadecimal text, with `~` in front when it is not an ICAO address (TIS-B tracks, anonymous addresses);
 * the call sign as broadcast. Out: the document's identifiers.
 */
import type { Identifier } from '@posrep/spec'

/** In upper case, with its `~`; `undefined` when it is not an address. */
export function toAddress(hex: unknown): string | undefined {
  if (typeof hex !== 'string') return undefined
  const address = hex.trim().toUpperCase()
  return /^~?[0-9A-F]{6}$/.test(address) ? address : undefined
}

export function toIdentifiers(address: string, callSign: string | undefined): Identifier[] {
  const ids: Identifier[] = [{ id: address.replace('~', ''), type: address.startsWith('~') ? 'NonICAO' : 'ICAO' }]
  if (callSign) ids.push({ id: callSign, type: 'CallSign' })
  return ids
}

/** Eight characters at most. Transponders fill an unset call sign with spaces, `@` or `_`. */
export function toCallSign(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const callSign = text
    .slice(0, 8)
    .replace(/[^A-Za-z0-9]+$/, '')
    .trimStart()
  return callSign === '' ? undefined : callSign
}
