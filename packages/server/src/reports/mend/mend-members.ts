/**
 * Mends members that real senders name or write differently. In: a member's value. Out: the same value, or a mended
 * one.
 */
export type Members = Record<string, unknown>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns `given` itself if nothing differs. Does not add members that are undefined. */
export function withMembers(given: Members, meant: Members): Members {
  let members = given
  for (const name in meant) {
    if (meant[name] !== given[name]) members = { ...members, [name]: meant[name] }
  }
  return members
}

/** In lower case, without word separators. */
const otherNames: Record<'lat' | 'lon', string[]> = {
  lat: ['lat', 'latitude'],
  lon: ['lon', 'lng', 'long', 'longitude'],
}

/**
 * Renames members such as `lng` to `lon` and `latitude` to `lat`, if the right name is missing and the value is a
 * number.
 */
export function mendCoordinates(coordinates: unknown, pointer: string, addPointer: (rest: string) => void): unknown {
  if (!isMembers(coordinates) || (coordinates.lat !== undefined && coordinates.lon !== undefined)) return coordinates
  let meant = coordinates
  for (const [name, others] of Object.entries(otherNames)) {
    if (meant[name] !== undefined) continue
    const other = Object.keys(meant).find((key) => others.includes(key.toLowerCase()) && typeof meant[key] === 'number')
    if (other === undefined) continue
    addPointer(`${pointer}/${other}`)
    const { [other]: value, ...rest } = meant
    meant = { ...rest, [name]: value }
  }
  return meant
}

/** Limit of nesting in the JSON of a string, so that strings cannot exceed the limit of the body. */
const maxDepth = 28

/** Replaces a string that contains a JSON object by the object. */
export function mendInfo(info: unknown, pointer: string, addPointer: (rest: string) => void): unknown {
  if (typeof info !== 'string') return info
  try {
    const meant: unknown = JSON.parse(info)
    if (!isMembers(meant) || !isPlain(meant, maxDepth)) return info
    addPointer(pointer)
    return meant
  } catch {
    // Not JSON: the validation answers that the value must be an object.
    return info
  }
}

/** Whether the value is nested at most `levels` deep, and all its numbers are in the range of doubles. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isPlain(member, levels - 1))
}
