/**
 * Says why a request got no response, as far as the runtime tells: browsers tell only their console.
 * In: the error of `fetch`. Out: the end of a sentence.
 */
import { innermostError, untrustedCode } from '@posrep/kernel/innermost-error'
import { findSystemPage } from '../ports.ts'

const caAdvice = 'to trust its CA, start Node with NODE_EXTRA_CA_CERTS=FILE; the server prints it'

/** Node's fetch does not say that a proxy answered 407. */
const unsaid = 'no reason given; did a proxy answer 407?'

const consoleAdvice = "the browser's console says why"

export function toNoResponse(error: unknown): string {
  const reason = error instanceof Error ? innermostError(error) : undefined
  if (!reason || (reason === error && reason.code === undefined)) {
    return findSystemPage() ? `got no response (${consoleAdvice})` : 'got no response'
  }
  const advice = untrustedCode.test(String(reason.code)) ? ` (${caAdvice})` : ''
  return `got no response: ${reason.message || reason.code || unsaid}${advice}`
}
