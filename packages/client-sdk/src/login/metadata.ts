/**
 * Reads the service's metadata (RFC 8414).
 * In: the origin of the identity provider. Out: what a login has to know of it; LoginError `temporarily_unavailable` when the
 * service does not answer. A service without metadata promises nothing.
 * See the document, operation getAuthorizationServerMetadata.
 */
import type { AuthorizationServerMetadata, paths } from '@posrep/spec'
import { LoginError } from '../errors.ts'
import type { Fetch } from '../ports.ts'
import { keepSignal } from '../request/keep-signal.ts'
import { toNoResponse } from '../request/no-response.ts'
import { privateInit } from '../request/private-request.ts'

export interface Metadata {
  /** Whether every callback has `iss` (RFC 9207 § 3). */
  promisesIssuer: boolean
}

const metadataPath = '/.well-known/oauth-authorization-server' satisfies keyof paths
const timeoutMs = 10_000

export async function readMetadata({ authOrigin, fetch }: { authOrigin: string; fetch: Fetch }): Promise<Metadata> {
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
  return { promisesIssuer: json?.authorization_response_iss_parameter_supported === true }
}
