/**
 * The parameter `bbox`: a box in longitude and latitude.
 * In: west, south, east, north in degrees, as text that has the form of the document. Out: the box, or 400.
 */
import type { Box } from '@posrep/air'
import { ApiError } from '../errors.ts'

/** Undefined for a missing parameter: everywhere. @throws ApiError `invalid_request` for a box that does not exist */
export function toBox(text: string | undefined): Box | undefined {
  if (text === undefined) return undefined
  const [westDegrees = 0, southDegrees = 0, eastDegrees = 0, northDegrees = 0] = text.split(',').map(Number)
  if (Math.max(Math.abs(westDegrees), Math.abs(eastDegrees)) > 180) {
    throw refuse('longitudes are from -180 to 180; the order is west, south, east, north')
  }
  if (Math.max(Math.abs(southDegrees), Math.abs(northDegrees)) > 90) {
    throw refuse('latitudes are from -90 to 90; the order is west, south, east, north')
  }
  if (southDegrees > northDegrees) {
    throw refuse(`south (${southDegrees}) is above north (${northDegrees}); the order is west, south, east, north`)
  }
  return { westDegrees, southDegrees, eastDegrees, northDegrees }
}

function refuse(detail: string): ApiError {
  const error = { pointer: '/query/bbox', code: 'box', detail }
  return new ApiError('invalid_request', `"${error.pointer}" ${detail}`, { errors: [error] })
}
