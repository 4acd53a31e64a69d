/**
 * Hints for mistakes that real senders make.
 * In: the JSON Pointer of a wrong member, and the body. Out: the end of a sentence that names the likely mistake, or
 * ''.
 */
const otherNames: Record<string, string[]> = {
  lon: ['lng', 'long', 'longitude'],
  lat: ['latitude'],
  sourceTimeStamp: ['timestamp', 'time'],
  positions: ['position', 'data'],
}

/** The hint for a missing member. */
export function likelyMistake(pointer: string, body: unknown): string {
  const keys = pointer.split('/').slice(1)
  const name = keys.pop() ?? ''
  const parent = keys.reduce(memberOf, body)
  const near = namesOf(parent).find((other) => isNear(other, name))
  if (near !== undefined) return `; did you mean "${name}" where it says "${near}"?`
  if (namesOf(memberOf(parent, 'position')).includes(name)) return `; it stands inside "position", one level too deep`
  return ''
}

/** The hint for a member with a wrong value, or for the body itself. */
export function likelyMistakeIn(pointer: string, body: unknown): string {
  const keys = pointer.split('/').slice(1)
  const hint = hintFor(keys.at(-1), keys.reduce(memberOf, body))
  return hint === undefined ? '' : `; ${hint}`
}

/** @param name Undefined for the body. */
function hintFor(name: string | undefined, value: unknown): string | undefined {
  if (name === undefined) return hintForBody(value)
  if (name === 'sourceTimeStamp') return hintForTime(value)
  if (typeof value !== 'string') return undefined
  if (name === 'additionalInfo' && /^\s*\{/.test(value)) return 'send the object itself, not its JSON in a string'
  if (/^\s*-?\d{1,20}[.,]?\d{0,20}\s*$/.test(value)) return hintForNumber(value)
  const meant = name === 'datum' || name === 'type' ? values.get(value.toLowerCase()) : undefined
  return meant && `did you mean "${meant}"?`
}

function hintForBody(body: unknown): string | undefined {
  if (Array.isArray(body)) return 'it is a list: did you mean {"positions": [ … ]}?'
  return typeof body === 'string' ? 'it is a text: send the object itself, not its JSON in a string' : undefined
}

function hintForNumber(value: string): string {
  const point = value.includes(',') ? ', and a decimal point' : ''
  return `send the number itself, without quotation marks${point}`
}

function hintForTime(value: unknown): string | undefined {
  const isEpoch = typeof value === 'number' || (typeof value === 'string' && /^\d{9,19}(?:\.\d{1,9})?$/.test(value))
  if (isEpoch) return 'it is a number since 1970: send it as a date and time'
  if (typeof value !== 'string' || !roughTime.test(value)) return undefined
  if (/^\S{1,20} /.test(value)) return 'did you mean "T" between the date and the time?'
  if (/[Tt]24:/.test(value)) return 'did you mean "00:00:00" of the next day?'
  if (/:\d\d,\d/.test(value)) return 'did you mean a point where it has a comma?'
  const [, sign, hours, minutes = '00'] = /([+-])(\d\d)(\d\d)?$/.exec(value.slice(19)) ?? []
  if (hours !== undefined) return `did you mean the offset "${sign}${hours}:${minutes}"?`
  return paddedTime.test(value) ? undefined : 'did you leave out leading zeros?'
}

const roughTime = /^\d{4}-\d\d?-\d\d?[Tt ]\d\d?:\d\d?:\d\d?(?!\d)/
const paddedTime = /^\d{4}-\d\d-\d\d.\d\d:\d\d:\d\d/

/** What senders write, in lower case. */
const values = new Map([
  ...['wgs84', 'agl', 'bar', 'msl'].map((datum) => [datum, datum] as const),
  ['amsl', 'msl'],
  ['wgs-84', 'wgs84'],
  ['hae', 'wgs84'],
  ['baro', 'bar'],
  ['ellipsoid', 'wgs84'],
  ...['drone', 'aircraft'].flatMap((type) => [
    [type, `aa:target:${type}`] as const,
    [`aa:target:${type}`, `aa:target:${type}`] as const,
  ]),
  ['uav', 'aa:target:drone'],
  ['uas', 'aa:target:drone'],
  ['plane', 'aa:target:aircraft'],
  ['helicopter', 'aa:target:aircraft'],
])

function isNear(other: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[_-]/g, '')
  return plain(other) === plain(name) || otherNames[name]?.includes(plain(other)) === true
}

/** Own members only. */
function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function namesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}
