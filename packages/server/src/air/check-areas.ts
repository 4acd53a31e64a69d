/**
 * Checks what the document's schema of areas cannot say.
 * In: areas that the schema accepts. Out: nothing, or 400 with a JSON Pointer to each mistake and what to do about it.
 */
import type { AirArea, AirAreaList } from '@posrep/spec'
import { ApiError, type FieldError } from '../errors.ts'
import { checkOutline } from './check-outline.ts'

/** Positions of all areas together, so that watching them stays quick. */
const maxPositions = 20_000
/** A list with many mistakes usually has one mistake many times. */
const maxErrors = 20

/** @throws ApiError `invalid_body` */
export async function checkAreas({ features }: AirAreaList): Promise<void> {
  const tooMany = checkSize(features)
  // The outlines of too many positions would take long to check.
  const errors = tooMany.length > 0 ? tooMany : checkIds(features)
  for (const [index, area] of tooMany.length > 0 ? [] : features.entries()) {
    if (errors.length < maxErrors) errors.push(...(await checkArea(area, index)))
  }
  const [first] = errors
  if (!first) return
  const sentence = `"${first.pointer}" ${first.detail}`
  const message = errors.length > 1 ? `${sentence}; ${errors.length - 1} more in "errors"` : sentence
  throw new ApiError('invalid_body', message, { errors: errors.slice(0, maxErrors) })
}

function checkIds(areas: readonly AirArea[]): FieldError[] {
  const first = new Map<string, number>()
  return areas.flatMap(({ id }, index) => {
    const before = first.get(id)
    if (before !== undefined)
      return [toError(`/features/${index}/id`, 'id', `is also the ID of area ${before}; change one`)]
    first.set(id, index)
    return []
  })
}

function checkSize(areas: readonly AirArea[]): FieldError[] {
  const positions = areas.reduce((sum, { geometry }) => sum + geometry.coordinates.flat().length, 0)
  if (positions <= maxPositions) return []
  return [
    toError('/features', 'size', `have ${positions} positions, and ${maxPositions} is the limit; simplify shapes`),
  ]
}

async function checkArea(
  { properties: { floor, ceiling, active = [] }, geometry }: AirArea,
  index: number,
): Promise<FieldError[]> {
  const pointer = `/features/${index}`
  const errors: FieldError[] = []
  if (floor && ceiling && floor.datum === ceiling.datum && floor.height > ceiling.height) {
    const detail = `is ${floor.height} m, above the ceiling of ${ceiling.height} m; exchange them`
    errors.push(toError(`${pointer}/properties/floor/height`, 'floor', detail))
  }
  active.forEach(({ from, to }, at) => {
    if (Date.parse(from) < Date.parse(to)) return
    errors.push(toError(`${pointer}/properties/active/${at}/to`, 'time', 'is not after "from"; give a later time'))
  })
  return [...errors, ...(await checkOutline(geometry.coordinates, `${pointer}/geometry/coordinates`))]
}

function toError(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail }
}
