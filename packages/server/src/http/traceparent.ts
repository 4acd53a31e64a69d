/**
 * Which trace of the caller's a request belongs to (W3C Trace Context).
 * In: the header `traceparent` as sent. Out: the id of the trace, for our log lines; nothing for a header that is not valid.
 */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

export function findTraceId(sent: string | string[] | undefined): string | undefined {
  if (typeof sent !== 'string' || sent.length > 200) return undefined
  const [, version, traceId, parentId, more] = form.exec(sent) ?? []
  if (traceId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return isZero(traceId) || isZero(parentId) ? undefined : traceId
}

function isZero(id = ''): boolean {
  return /^0+$/.test(id)
}
