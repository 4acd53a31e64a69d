/**
 * Finds the caller's trace that a request belongs to (W3C Trace Context), for log lines and relay messages.
 * In: the headers `traceparent` and `tracestate` as sent. Out: the trace as `<id>-<flags>`, followed by a space and its
 * state if it has one, which is for others to read; undefined if `traceparent` is not valid.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Sampled, and random id. Flags without a meaning yet are not passed on (§ 3.2.2.5). */
const knownFlags = 0b11
/** The least that is to be passed on (§ 3.3.1.5); of a longer state, nothing is. */
const state = /^[\t -~]{1,512}$/

export function findTrace({ traceparent, tracestate }: IncomingHttpHeaders): string | undefined {
  const trace = findIdAndFlags(traceparent)
  const hasState = typeof tracestate === 'string' && state.test(tracestate)
  return trace !== undefined && hasState ? `${trace} ${tracestate}` : trace
}

export function findTraceId(sent: string | string[] | undefined): string | undefined {
  return findIdAndFlags(sent)?.slice(0, 32)
}

/** The headers for an outgoing request in that trace, with a new parent id. */
export function toTraceHeaders(trace: string): { traceparent: string; tracestate?: string } {
  const space = trace.indexOf(' ')
  const [traceId, flags] = (space < 0 ? trace : trace.slice(0, space)).split('-')
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`
  return space < 0 ? { traceparent } : { traceparent, tracestate: trace.slice(space + 1) }
}

function findIdAndFlags(sent: string | string[] | undefined): string | undefined {
  if (typeof sent !== 'string' || sent.length > 200) return undefined
  const [, version, traceId, parentId, flags = '', more] = form.exec(sent) ?? []
  if (traceId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (isZero(traceId) || isZero(parentId)) return undefined
  return `${traceId}-0${Number.parseInt(flags, 16) & knownFlags}`
}

function isZero(id = ''): boolean {
  return /^0+$/.test(id)
}
