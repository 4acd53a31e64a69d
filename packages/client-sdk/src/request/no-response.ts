/**
 * Says why a request got no response, as far as the runtime tells: browsers tell only their console.
 * In: the error of `fetch`. Out: the end of a sentence.
 */
import { findSystemPage } from '../ports.ts'

const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/
const caAdvice = 'to trust its CA, start Node with NODE_EXTRA_CA_CERTS=FILE; a development server prints the path'

const consoleAdvice = "the browser's console says why"

export function toNoResponse(error: unknown): string {
  const reason = error instanceof Error ? innermost(error) : undefined
  if (!reason || (reason === error && reason.code === undefined)) {
    return findSystemPage() ? `got no response (${consoleAdvice})` : 'got no response'
  }
  const advice = untrusted.test(String(reason.code)) ? ` (${caAdvice})` : ''
  return `got no response: ${reason.message || reason.code}${advice}`
}

/** Node's fetch wraps the error of the system. */
function innermost(error: Error): Error & { code?: unknown } {
  // Of a host with several addresses, each attempt has an error.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? innermost(inner) : error
}
