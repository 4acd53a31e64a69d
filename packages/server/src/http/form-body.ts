/**
 * The fields of a form (`application/x-www-form-urlencoded`).
 * In: the inflated bytes. Out: an object without prototype; a field that is sent more than once is a list.
 */
import { parse } from 'node:querystring'
import { ApiError } from '../errors.ts'

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
