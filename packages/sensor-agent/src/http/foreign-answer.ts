/**
 * Recognises what is no answer of the service: a page of a proxy, a captive portal or a load balancer, or an address
 * that is another one.
 * In: an answer. Out: an alarm that says what to check, the same for every operation.
 */
import { AgentError } from '../errors.ts'
import type { Answer } from './answer.ts'

/** `what`: whose address is to be checked, the ingest's or the identity provider's. */
export function toForeignAnswer(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  reason: string,
  what: string,
): AgentError {
  const moved = toPlace(headers.get('location'))
  const advice =
    status === 407
      ? 'the proxy asks for a user and a password: HTTPS_PROXY=http://user:password@host:port'
      : `a proxy, captive portal or load balancer may have answered; check the network and the ${what}'s address`
  const message = `${reason}${moved} with ${toContent(headers)}, which is no answer of the service: ${advice}`
  return new AgentError('foreign_answer', message)
}

export function toWrongAddress(reason: string, what: string): AgentError {
  return new AgentError('foreign_answer', `${reason}; check that the address is the base address of the ${what}`)
}

/** Whether the body is for people: the service's answers are JSON, or empty. */
export function isPage(headers: Headers): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/') === true
}

function toContent(headers: Headers): string {
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  return type === '' ? 'no content' : type
}

/** Without a query, which may have a secret. */
function toPlace(location: string | null): string {
  const url = location === null ? null : URL.parse(location)
  return url ? ` and sends to ${url.origin}${url.pathname}` : ''
}
