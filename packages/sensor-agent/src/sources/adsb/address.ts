/**
 * Identifiers of a transponder.
 * In: the 24-bit address as hexadecimal text, with `~` in front when it is not an ICAO address (TIS-B tracks, anonymous
 * addresses); the call sign as broadcast. Out: the document's identifiers.
 */
import type { Identifier } from '@posrep/spec'
import { findText } from '../fields.ts'

/**
 * In upper case, with its `~`; `undefined` when it is not an address. Seven digits that begin with 1 are an address of
 * dump1090 that is not one of ICAO. 000000 and FFFFFF are nobody's.
 */
export function toAddress(hex: unknown): string | undefined {
  const address = findText(hex)
    ?.toUpperCase()
    .replace(/^1(?=[0-9A-F]{6}$)/, '~')
  return address !== undefined && /^~?(?!0{6}|F{6})[0-9A-F]{6}$/.test(address) ? address : undefined
}

export function toIdentifiers(address: string, callSign: string | undefined): Identifier[] {
  const ids: Identifier[] = [{ id: address.replace('~', ''), type: address.startsWith('~') ? 'NonICAO' : 'ICAO' }]
  if (callSign) ids.push({ id: callSign, type: 'CallSign' })
  return ids
}

/** Eight characters at most. Transponders fill an unset call sign with spaces, `@`, `_`, `?` or zeros. */
export function toCallSign(text: unknown): string | undefined {
  const [callSign = ''] = /^.{0,7}[A-Za-z0-9]/s.exec(findText(text) ?? '') ?? []
  return /^ *0*$/.test(callSign) ? undefined : callSign.trimStart()
}
