/**
 * Checks the headers that describe a body, before the body is read.
 * In: Content-Type and Content-Encoding as sent. Out: nothing, or ApiError `unsupported_media_type`.
 */
import { ApiError } from '../../errors.ts'

const maxLength = 100
const utf8 = /^charset\s*=\s*"?utf-?8"?$/

/** @param expected The one media type that the document has for the operation's body. */
export function checkContentType(sent: string | undefined, expected: string): void {
  if (isContentType(sent, expected)) return
  throw new ApiError(
    'unsupported_media_type',
    `The body must be sent as "Content-Type: ${expected}", in UTF-8${sent ? '' : '; there is no Content-Type'}`,
  )
}

export function isContentType(sent: string | undefined, expected: string): boolean {
  if (sent === undefined || sent.length > maxLength) return false
  const [media, ...parameters] = sent
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (parameters.at(-1) === '') parameters.pop()
  return media === expected && parameters.length <= 1 && parameters.every((parameter) => utf8.test(parameter))
}

const encodings = new Set(['identity', 'gzip', 'deflate', 'br'])

export function checkContentEncoding(sent = 'identity'): void {
  if (encodings.has(sent.trim().toLowerCase())) return
  throw new ApiError('unsupported_media_type', 'This Content-Encoding is not supported; use gzip, deflate, br or none')
}
