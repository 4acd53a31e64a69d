/**
 * Identifiers, written in one way.
 * In: what a sensor calls `Icao24`, ` a1b2c3`. Out: the ICAO address `A1B2C3`. What does not hold to the form of its kind
 * is kept as it is, as `other`, so that it is not mistaken for a valid one.
 */
import type { Identifier } from '@posrep/spec'
import type { IdentifierKind, StandardIdentifier } from './standard-position.ts'

type KnownKind = Exclude<IdentifierKind, 'other'>

/** By the type's letters and digits in lower case, and by how the document writes them. */
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

/** Each gets the text without spaces around it; `undefined` is what the kind does not look like. */
const forms: Record<KnownKind, (id: string) => string | undefined> = {
  // A tilde in front marks an address that is not the ICAO's.
  ICAO: (id) => (/^[0-9a-f]{6}$/i.test(id) ? id.toUpperCase() : undefined),
  CallSign: (id) => id.toUpperCase(),
  Registration: (id) => id.toUpperCase(),
  SerialNumber: (id) => id,
  IMEI: (id) => /^(?:imei:)?([0-9]{14,16})$/i.exec(id.replace(/[ -]/g, ''))?.[1],
}

/** Without repetitions and without what says nothing. */
export function toStandardIdentifiers(ids: readonly Identifier[] = []): StandardIdentifier[] {
  const found: StandardIdentifier[] = []
  for (const identifier of ids) {
    const standard = toStandardIdentifier(identifier)
    if (standard.id !== '' && !found.some((other) => isSame(other, standard))) found.push(standard)
    if (found.length === mostIdentifiers) break
  }
  return found
}

/** Per target. Comparing more of them would take too long and add nothing. */
const mostIdentifiers = 100

/** How a known kind was called makes no difference. */
function isSame(a: StandardIdentifier, b: StandardIdentifier): boolean {
  return a.id === b.id && a.kind === b.kind && (a.kind !== 'other' || a.type === b.type)
}

function toStandardIdentifier({ id, type }: Identifier): StandardIdentifier {
  const text = id.trim()
  if (type === undefined) return { kind: 'other', id: text }
  const kind = kindOf(type)
  const written = kind && forms[kind](text)
  return kind && written !== undefined ? { kind, id: written, type } : { kind: 'other', id: text, type }
}

function kindOf(type: string): KnownKind | undefined {
  return kinds.get(type) ?? kinds.get(type.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
