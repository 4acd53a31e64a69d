/**
 * Hints for mistakes that real senders make.
 * In: the JSON Pointer of a wrong member, and the body. Out: the end of a sentence that names the likely mistake, or ''.
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

/** The hint for a member with a wrong value. */
export function likelyMistakeIn(pointer: string, body: unknown): string {
  const keys = pointer.split('/').slice(1)
  const value = keys.reduce(memberOf, body)
  if (typeof value !== 'string') return ''
  if (keys.at(-1) === 'additionalInfo' && /^\s*\{/.test(value))
    return '; send the object itself, not its JSON in a string'
  if (keys.at(-1) !== 'sourceTimeStamp' || !roughTime.test(value)) return ''
  if (/^\S+ /.test(value)) return '; did you mean "T" between the date and the time?'
  return paddedTime.test(value) ? '' : '; did you leave out leading zeros?'
}

const roughTime = /^\d{4}-\d\d?-\d\d?[Tt ]\d\d?:\d\d?:\d\d?(?!\d)/
const paddedTime = /^\d{4}-\d\d-\d\d.\d\d:\d\d:\d\d/

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
