/**
 * Checks the bearer token of a request, before its body is read (RFC 6750).
 * In: the Authorization header and what the document asks for. Out: the principal, or 401 / 403 with WWW-Authenticate.
 */
import { ApiError } from '../../errors.ts'
import type { Principal, VerifyAccessToken } from '../../ports/principal.ts'
import type { DocumentedOperation } from './openapi-document.ts'

const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

export async function authenticate(
  authorization: string | undefined,
  { audience, scopes }: NonNullable<DocumentedOperation['token']>,
  verifyAccessToken: VerifyAccessToken,
): Promise<Principal> {
  const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
  if (token === undefined) {
    throw new ApiError('invalid_token', `This operation needs "Authorization: Bearer <${audience} token>"`, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
  const principal = await verifyAccessToken(token, audience)
  const missing = scopes.filter((scope) => !principal.scopes.includes(scope))
  if (missing.length > 0) {
    throw new ApiError('insufficient_scope', `The token lacks the scope "${missing.join(' ')}"`, {
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
    })
  }
  return principal
}
