/** Members that real senders name or write otherwise. In: a member's value. Out: the very same, or what was meant. */
export type Members = Record<string, unknown>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `given` itself where nothing differs; nothing is added that is undefined. */
export function withMembers(given: Members, meant: Members): Members {
  let members = given
  for (const name in meant) {
    if (meant[name] !== given[name]) members = { ...members, [name]: meant[name] }
  }
  return members
}

/** In lower case, without what separates words. */
const otherNames: Record<'lat' | 'lon', string[]> = {
  lat: ['lat', 'latitude'],
  lon: ['lon', 'lng', 'long', 'longitude'],
}

/** `lng` and its like become `lon`, `latitude` becomes `lat`: where the right name is missing, and with a number only. */
export function mendPlace(place: unknown, pointer: string, at: (rest: string) => void): unknown {
  if (!isMembers(place) || (place.lat !== undefined && place.lon !== undefined)) return place
  let meant = place
  for (const [name, others] of Object.entries(otherNames)) {
    if (meant[name] !== undefined) continue
    const other = Object.keys(meant).find((key) => others.includes(key.toLowerCase()) && typeof meant[key] === 'number')
    if (other === undefined) continue
    at(`${pointer}/${other}`)
    const { [other]: value, ...rest } = meant
    meant = { ...rest, [name]: value }
  }
  return meant
}

/** Levels below a report's own; the text in a member is no way around the limit of the body. */
const maxDepth = 28

/** A JSON object in a string becomes that object. */
export function mendInfo(info: unknown, pointer: string, at: (rest: string) => void): unknown {
  if (typeof info !== 'string') return info
  try {
    const meant: unknown = JSON.parse(info)
    if (!isMembers(meant) || !isPlain(meant, maxDepth)) return info
    at(pointer)
    return meant
  } catch {
    // Not JSON at all: the sender hears that it must be an object.
    return info
  }
}

/** Nested no deeper, and all its numbers within the range of doubles. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isPlain(member, levels - 1))
}
