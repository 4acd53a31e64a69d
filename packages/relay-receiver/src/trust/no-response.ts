/** Says why a request got no response. In: the error of `fetch`. Out: the end of a sentence. */
import { innermostError, untrustedCode } from '@posrep/kernel/innermost-error'

export function toNoResponse(error: unknown, caAdvice: string): string {
  if (!(error instanceof Error)) return `got no response: ${error}`
  const { message, code } = innermostError(error)
  const advice = untrustedCode.test(String(code)) ? `; to trust its CA: ${caAdvice}` : ''
  return `got no response: ${message || code}${advice}`
}
