/**
 * What real senders get wrong.
 * In: a position as it was written. Out: what was probably meant; `explains` is the path of the error that it explains.
 */
import { type Fields, findFields, findNumber, isNumber } from '../../sources/fields.ts'

export interface Mistake {
  path: string
  message: string
  explains?: string
}

export function findLikelyMistakes(position: Fields): Mistake[] {
  const where = findFields(position.position)
  return [
    ...namesOf(position, where),
    ...(where ? coordinatesOf(where) : []),
    ...altitudesOf(position),
    ...speedsOf(position),
    ...timesOf(position),
  ]
}

function namesOf(position: Fields, where: Fields | undefined): Mistake[] {
  const mistakes: Mistake[] = []
  for (const [wrong, right] of [
    ['lng', 'lon'],
    ['long', 'lon'],
    ['longitude', 'lon'],
    ['latitude', 'lat'],
  ] as const) {
    if (where && wrong in where && !(right in where))
      mistakes.push({
        path: `position.${wrong}`,
        message: `did you mean "${right}" for "${wrong}"?`,
        explains: `position.${right}`,
      })
  }
  for (const name of ['id', 'sourceTimeStamp'] as const) {
    if (where && name in where && !(name in position))
      mistakes.push({
        path: `position.${name}`,
        message: `"${name}" belongs beside "position", not inside`,
        explains: name,
      })
  }
  if ('lat' in position && !where)
    mistakes.push({ path: 'lat', message: '"lat" and "lon" belong inside "position"', explains: 'position' })
  if ('timestamp' in position && !('sourceTimeStamp' in position))
    mistakes.push({ path: 'timestamp', message: 'did you mean "sourceTimeStamp"?', explains: 'sourceTimeStamp' })
  return mistakes
}

function coordinatesOf({ lat, lon }: Fields): Mistake[] {
  if (!isNumber(lat) || !isNumber(lon)) return []
  if (Math.abs(lat) > 90 && Math.abs(lon) <= 90)
    return [{ path: 'position.lat', message: 'latitude and longitude look exchanged', explains: 'position.lat' }]
  if (lat === 0 && lon === 0)
    return [{ path: 'position', message: '0/0 is in the Gulf of Guinea; receivers without a fix say so' }]
  return []
}

/** No aircraft flies above 20 km; 20 km is 65,617 ft. */
const maxHeightMetres = 20_000

function altitudesOf({ altitudes }: Fields): Mistake[] {
  if (!Array.isArray(altitudes)) return []
  return altitudes.flatMap((item, index) => {
    const height = findNumber(findFields(item)?.height)
    if (height === undefined || height <= maxHeightMetres) return []
    return [{ path: `altitudes[${index}].height`, message: `${height} m is above every aircraft; is it in feet?` }]
  })
}

/** Twice the speed of sound; 680 kt is fast for a jet, too. */
const maxSpeed = 680

function speedsOf({ groundVelocity, trueAirspeed }: Fields): Mistake[] {
  return Object.entries({ groundVelocity, trueAirspeed }).flatMap(([path, value]) => {
    const { x, y, z } = findFields(value) ?? {}
    const speed = Math.hypot(findNumber(x) ?? 0, findNumber(y) ?? 0)
    if (speed > maxSpeed)
      return [{ path, message: `${Math.round(speed)} m/s is faster than any airliner; is it in knots or km/h?` }]
    const up = findNumber(z)
    // 6,000 ft/min is 30 m/s.
    if (up !== undefined && Math.abs(up) > 150)
      return [{ path: `${path}.z`, message: `${up} m/s up; is it in feet per minute?` }]
    return []
  })
}

function timesOf({ sourceTimeStamp }: Fields): Mistake[] {
  if (typeof sourceTimeStamp === 'number')
    return [
      {
        path: 'sourceTimeStamp',
        message: 'write it as text in RFC 3339, such as "2026-11-21T12:00:00.000Z"',
        explains: 'sourceTimeStamp',
      },
    ]
  if (typeof sourceTimeStamp === 'string' && Date.parse(sourceTimeStamp) < Date.UTC(2020, 0, 1))
    return [{ path: 'sourceTimeStamp', message: 'before 2020; is the clock of the sensor set?' }]
  return []
}

/** Members that a position needs to be processed for the map view. On the ground it needs no velocity. */
export function findMissingMembers(position: Fields): string[] {
  const ids = findFields(position.target)?.ids
  const altitudes = Array.isArray(position.altitudes) ? position.altitudes : []
  const { x, y, z } = findFields(position.groundVelocity) ?? {}
  const missing: string[] = []
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((item) => findFields(item)?.type !== undefined))
    missing.push('target.ids with id and type')
  if (altitudes.length === 0) missing.push('altitudes')
  if (position.onGround !== true && ![x, y, z].every(isNumber)) missing.push('groundVelocity with x, y and z')
  return missing
}
