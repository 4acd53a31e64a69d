/**
 * Identifiers, written in one way.
 * In: what a sensor calls `Icao24`, ` a1b2c3`. Out: the ICAO address `A1B2C3`. What does not hold to the form of its kind
 * is kept as it is, as `other`, so that nobody takes it for what it is not.
 */
import type { Identifier } from '@posrep/spec'
import type { IdentifierKind, StandardIdentifier } from './standard-position.ts'

/** By the type's letters and digits in lower case. */
const kinds: Record<string, Exclude<IdentifierKind, 'other'>> = {
  icao: 'ICAO',
  icao24: 'ICAO',
  icaoaddress: 'ICAO',
  icao24bitaddress: 'ICAO',
  modes: 'ICAO',
  callsign: 'CallSign',
  flight: 'CallSign',
  flightid: 'CallSign',
  registration: 'Registration',
  tailnumber: 'Registration',
  serialnumber: 'SerialNumber',
  serial: 'SerialNumber',
  imei: 'IMEI',
}

/** Each gets the text without spaces around it; `undefined` is what the kind does not look like. */
const forms: Record<Exclude<IdentifierKind, 'other'>, (id: string) => string | undefined> = {
  // A tilde in front marks an address that is not the ICAO's.
  ICAO: (id) => (/^[0-9a-f]{6}$/i.test(id) ? id.toUpperCase() : undefined),
  CallSign: (id) => id.toUpperCase(),
  Registration: (id) => id.toUpperCase(),
  SerialNumber: (id) => id,
  IMEI: (id) => /^(?:imei:)?([0-9]{14,16})$/i.exec(id.replace(/[ -]/g, ''))?.[1],
}

/** Without repetitions and without what says nothing. */
export function toStandardIdentifiers(ids: readonly Identifier[] = []): StandardIdentifier[] {
  const byMeaning = new Map<string, StandardIdentifier>()
  for (const identifier of ids) {
    const standard = toStandardIdentifier(identifier)
    const { kind, id, type } = standard
    // How a known kind was called makes no difference.
    const meaning = kind === 'other' ? `other ${JSON.stringify(type)} ${id}` : `${kind} ${id}`
    if (id !== '' && !byMeaning.has(meaning)) byMeaning.set(meaning, standard)
  }
  return [...byMeaning.values()]
}

function toStandardIdentifier({ id, type }: Identifier): StandardIdentifier {
  const text = id.trim()
  const kind = kindOf(type)
  const written = kind && forms[kind](text)
  const called = type === undefined ? {} : { type }
  return kind && written !== undefined ? { kind, id: written, ...called } : { kind: 'other', id: text, ...called }
}

function kindOf(type: string | undefined): Exclude<IdentifierKind, 'other'> | undefined {
  if (type === undefined) return undefined
  const plain = type.toLowerCase().replace(/[^a-z0-9]/g, '')
  return Object.hasOwn(kinds, plain) ? kinds[plain] : undefined
}
