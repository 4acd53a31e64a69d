/**
 * Checks a request's method and headers before its body is read.
 * In: the request. Out: nothing, or ReceiverError `method_not_allowed`, `unsupported_media_type`.
 */
import { ReceiverError } from '../errors.ts'

export function checkRequest({ method, headers }: Request): void {
  if (method !== 'POST') throw new ReceiverError('method_not_allowed', `A relay accepts only POST, got ${method}`)
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
  return name.trim() !== 'charset' || ['utf-8', '"utf-8"'].includes(value.trim())
}

function quote(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}
