/**
 * The normal form in which identifiers are compared, on the server and at the receivers of reports.
 * In: the identifier ` a1b2c3` of type `Icao24`. Out: the ICAO address `A1B2C3`. An identifier that is not valid for
 * its kind becomes `other` and keeps its text, so that it is not mistaken for a valid one.
 */
import type { Identifier } from './generated/schemas.ts'

/** Kinds with one notation. Everything else is `other`, also an ICAO address that is not valid. */
export type IdentifierKind = 'ICAO' | 'CallSign' | 'Registration' | 'SerialNumber' | 'IMEI' | 'other'

export interface StandardIdentifier {
  kind: IdentifierKind
  /**
   * ICAO: six hexadecimal digits in upper case. Call sign: upper case. Registration: that without hyphens and spaces.
   * IMEI: digits. Always trimmed.
   */
  id: string
  /** The text as the sensor wrote it, trimmed; only if it is not `id`. It is what people are shown. */
  written?: string
  /** The type as the sensor wrote it. */
  type?: string
}

type KnownKind = Exclude<IdentifierKind, 'other'>

/** Keys: the type as the specification writes it, or its letters and digits in lower case. */
const kinds = new Map<string, KnownKind>([
  ['ICAO', 'ICAO'],
  ['CallSign', 'CallSign'],
  ['SerialNumber', 'SerialNumber'],
  ['icao', 'ICAO'],
  ['icao24', 'ICAO'],
  ['icaoaddress', 'ICAO'],
  ['icao24bitaddress', 'ICAO'],
  ['modes', 'ICAO'],
  ['callsign', 'CallSign'],
  ['flight', 'CallSign'],
  ['flightid', 'CallSign'],
  ['registration', 'Registration'],
  ['tailnumber', 'Registration'],
  ['serialnumber', 'SerialNumber'],
  ['serial', 'SerialNumber'],
  ['imei', 'IMEI'],
])

/** Each function gets the trimmed text, and returns `undefined` when the text is not valid for the kind. */
const forms: Record<KnownKind, (id: string) => string | undefined> = {
  // A leading tilde marks an address that ICAO did not assign.
  ICAO: (id) => (/^[0-9a-f]{6}$/i.test(id) ? id.toUpperCase() : undefined),
  CallSign: (id) => id.toUpperCase(),
  // Some sources omit the hyphen.
  Registration: (id) => id.toUpperCase().replace(/[-\s]/g, ''),
  SerialNumber: (id) => id,
  IMEI: (id) => /^(?:imei:)?([0-9]{14,16})$/i.exec(id.replace(/[ -]/g, ''))?.[1],
}

/** Omits duplicates and empty identifiers. */
export function toStandardIdentifiers(ids: readonly Identifier[] = []): StandardIdentifier[] {
  const found: StandardIdentifier[] = []
  for (const identifier of ids) {
    const standard = toStandardIdentifier(identifier)
    if (standard.id !== '' && !found.some((other) => isSame(other, standard))) found.push(standard)
    if (found.length === maxIdentifiers) break
  }
  return found
}

/** Limit per target: each identifier is compared with all earlier ones. */
const maxIdentifiers = 100

/** The type matters only for the kind `other`. */
function isSame(a: StandardIdentifier, b: StandardIdentifier): boolean {
  return a.id === b.id && a.kind === b.kind && (a.kind !== 'other' || a.type === b.type)
}

function toStandardIdentifier({ id, type }: Identifier): StandardIdentifier {
  const text = trim(id)
  if (type === undefined) return { kind: 'other', id: text }
  const kind = kindOf(type)
  const standard = kind && forms[kind](text)
  if (kind === undefined || standard === undefined) return { kind: 'other', id: text, type }
  return { kind, id: standard, ...(standard !== text && { written: text }), type }
}

/** A copy: a part of a text would keep the whole of it in memory, which may be a megabyte of spaces. */
function trim(id: string): string {
  const text = id.trim()
  return text.length === id.length ? text : structuredClone(text)
}

function kindOf(type: string): KnownKind | undefined {
  return kinds.get(type) ?? kinds.get(type.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
