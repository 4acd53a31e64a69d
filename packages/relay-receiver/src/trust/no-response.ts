/** Says why a request got no response. In: the error of `fetch`. Out: the end of a sentence. */

const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/

export function toNoResponse(error: unknown, caAdvice: string): string {
  if (!(error instanceof Error)) return `got no response: ${error}`
  const { message, code } = innermost(error)
  const advice = untrusted.test(String(code)) ? `; to trust its CA: ${caAdvice}` : ''
  return `got no response: ${message || code}${advice}`
}

/** Node's fetch wraps the error of the system. */
function innermost(error: Error): Error & { code?: unknown } {
  // Of a host with several addresses, each attempt has an error.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? innermost(inner) : error
}
