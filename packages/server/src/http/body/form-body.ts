/**
 * Parses a form (`application/x-www-form-urlencoded`).
 * In: the inflated bytes. Out: an object without prototype; a repeated field is an array.
 */
import { parse } from 'node:querystring'
import { ApiError } from '../../errors.ts'

/** Bytes of a form after inflation. */
export const maxFormBytes = 64 * 1024

const maxFields = 100

export function parseForm(bytes: Buffer): Record<string, unknown> {
  const text = bytes.toString('utf8')
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++
  if (fields > maxFields) {
    throw new ApiError('body_too_large', `The form has more than ${maxFields} fields`, {
      headers: { Connection: 'close' },
    })
  }
  return parse(text)
}
