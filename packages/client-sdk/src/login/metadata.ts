/**
 * Reads the service's metadata (RFC 8414).
 * In: the origin of the identity provider. Out: what a login has to know of it; LoginError `temporarily_unavailable`
 * when the service does not answer. A service without metadata promises nothing.
 * See the document, operation getAuthorizationServerMetadata.
 */

import { keepSignal } from '@posrep/kernel/keep-signal'
import type { AuthorizationServerMetadata, paths } from '@posrep/spec'
import { LoginError } from '../errors.ts'
import type { Fetch } from '../ports.ts'
import { toNoResponse } from '../request/no-response.ts'
import { privateInit } from '../request/private-request.ts'

const metadataPath = '/.well-known/oauth-authorization-server' satisfies keyof paths
const timeoutMs = 10_000

/** Whether the service sends `iss` with every callback (RFC 9207 § 3). */
export async function promisesIssuer({ authOrigin, fetch }: { authOrigin: string; fetch: Fetch }): Promise<boolean> {
  const request = new Request(new URL(metadataPath, authOrigin), {
    headers: { accept: 'application/json' },
    ...privateInit,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const response = await fetch(keepSignal(request)).catch((cause: unknown) => {
    throw new LoginError('temporarily_unavailable', `GET ${metadataPath} ${toNoResponse(cause)}; start again later`, {
      cause,
    })
  })
  if (response.status === 429 || response.status >= 500) {
    throw new LoginError(
      'temporarily_unavailable',
      `GET ${metadataPath} answered ${response.status}; start again later`,
    )
  }
  // A body that is not JSON is not metadata; members of other JSON are compared, not used.
  const json = (
    response.ok ? await response.json().catch(() => null) : null
  ) as Partial<AuthorizationServerMetadata> | null
  return json?.authorization_response_iss_parameter_supported === true
}
