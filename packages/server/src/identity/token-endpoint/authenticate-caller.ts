/**
 * Authenticates the caller of the token endpoint, and limits wrong secrets per client and address.
 * In: the form and the request's headers and address. Out: the client, and how it authenticated.
 */
import type { OperationRequest } from '../../http/operation/operation.ts'
import { createThrottle, networkOf } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import type { SharedCounts } from '../../ports/storage/shared-counts.ts'
import { hashSecret } from '../../secrets.ts'
import type { Audit } from '../audit.ts'
import { authenticateClient, type Caller } from './client-authentication.ts'
import type { Form } from './form.ts'

/** @throws OAuthError `invalid_client`; ApiError `too_many_requests` for a wrong secret beyond the limit. */
export type AuthenticateCaller = (form: Form, by: TokenEndpointRequest) => Promise<Caller>

export type TokenEndpointRequest = Pick<OperationRequest<'issueToken'>, 'headers' | 'address'>

/** Longer than any client ID. A longer value is cut, so that it does not fill the log. */
const maxLoggedLength = 100

export function createAuthenticateCaller({
  directory,
  clock,
  sharedCounts,
  audit,
}: {
  directory: Directory
  clock: Clock
  sharedCounts?: SharedCounts | undefined
  audit: Audit
}): AuthenticateCaller {
  /** Right secrets always pass; after too many wrong ones, each further wrong one is a 429. */
  const failures = createThrottle({
    clock,
    limit: 100,
    windowMs: 60_000,
    message: 'Too many failed authentications',
    shared: sharedCounts && { counts: sharedCounts, name: 'failed-clients', step: 10 },
  })

  return (form, { headers, address }) =>
    authenticateClient(form, headers.authorization, directory, (clientId) => {
      audit({ event: 'client-refused', clientId: clientId.slice(0, maxLoggedLength), address })
      const key = `${networkOf(address)} ${hashSecret(clientId)}`
      failures.check(key)
      failures.count(key)
    })
}
