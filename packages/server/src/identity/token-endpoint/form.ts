/**
 * The fields of an OAuth form (RFC 6749 §3.2): each at most once; empty and unknown fields are ignored.
 * In: the parsed body. Out: functions that read a field by its name.
 */
import { OAuthError } from '../oauth-error.ts'

export interface Form {
  find(name: string): string | undefined
  /** @throws OAuthError `invalid_request` when the field is missing. */
  get(name: string): string
}

export function readForm(body: unknown): Form {
  const fields: object = typeof body === 'object' && body !== null ? body : {}

  function find(name: string): string | undefined {
    const value: unknown = Object.hasOwn(fields, name) ? Reflect.get(fields, name) : undefined
    if (value === undefined || value === '') return undefined
    if (typeof value !== 'string') throw new OAuthError('invalid_request', `"${name}" must be sent once`)
    return value
  }

  return {
    find,
    get(name) {
      const value = find(name)
      if (value === undefined) throw new OAuthError('invalid_request', `"${name}" is missing`)
      return value
    },
  }
}
