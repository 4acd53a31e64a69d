/**
 * Which trace of the caller's a request belongs to (W3C Trace Context), for our log lines and for what follows from it.
 * In: the header `traceparent` as sent. Out: the trace, `<id>-<flags>`; nothing for a header that is not valid.
 */
import { randomBytes } from 'node:crypto'

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Sampled, and an id that is random; what other flags will mean is not known, and they are not passed on (§ 3.2.2.5). */
const knownFlags = 0b11

export function findTrace(sent: string | string[] | undefined): string | undefined {
  if (typeof sent !== 'string' || sent.length > 200) return undefined
  const [, version, traceId, parentId, flags = '', more] = form.exec(sent) ?? []
  if (traceId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (isZero(traceId) || isZero(parentId)) return undefined
  return `${traceId}-0${Number.parseInt(flags, 16) & knownFlags}`
}

export function findTraceId(sent: string | string[] | undefined): string | undefined {
  return findTrace(sent)?.slice(0, 32)
}

/** The header for a request of ours in that trace, under a new id. */
export function toTraceparent(trace: string): string {
  const [traceId, flags] = trace.split('-')
  return `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`
}

function isZero(id = ''): boolean {
  return /^0+$/.test(id)
}
