/**
 * Checks a request's method, and for messages without a signature the headers that say what the body is.
 * In: the request. Out: nothing, or ReceiverError `method_not_allowed`, `unsupported_media_type`.
 */
import { ReceiverError } from '../errors.ts'

export function checkMethod({ method }: Request): void {
  if (method !== 'POST') throw new ReceiverError('method_not_allowed', `A relay accepts only POST, got ${method}`)
}

export function checkContent({ headers }: Request): void {
  const type = headers.get('content-type') ?? ''
  if (!isJson(type)) {
    throw new ReceiverError('unsupported_media_type', `The body must be application/json in UTF-8, got ${quote(type)}`)
  }
  const coding = headers.get('content-encoding') ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    throw new ReceiverError('unsupported_media_type', `The body must not be compressed, got ${quote(coding)}`)
  }
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every(isUtf8OrNoCharset)
}

function isUtf8OrNoCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || ['utf-8', 'utf8', '"utf-8"', '"utf8"'].includes(value.trim())
}

function quote(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}
