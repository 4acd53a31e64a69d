/**
 * The token endpoint (specification, "Token request"; RFC 6749 §3.2): picks the grant and repeats it when it was overtaken
 * by a revocation.
 * In: the form and its caller. Out: tokens; refusals are thrown as OAuthError.
 */
import { ApiError } from '../errors.ts'
import type { AuthenticateCaller, TokenEndpointRequest } from './authenticate-caller.ts'
import type { Form } from './form.ts'
import { issueByCode } from './grants/authorization-code.ts'
import { issueByClientCredentials } from './grants/client-credentials.ts'
import type { GrantContext, IssueByGrant, IssuedTokens } from './grants/grant.ts'
import { issueByRefreshToken } from './grants/refresh-token.ts'
import { OAuthError, supportedGrants } from './oauth-error.ts'
import type { Revocations } from './revocations.ts'

export type IssueTokens = (form: Form, by: TokenEndpointRequest) => Promise<IssuedTokens>

export interface IssueTokensOptions {
  authenticate: AuthenticateCaller
  grantContext: GrantContext
  revocations: Pick<Revocations, 'beginIssue'>
}

const grants = new Map<string, IssueByGrant>([
  ['authorization_code', issueByCode],
  ['refresh_token', issueByRefreshToken],
  ['client_credentials', issueByClientCredentials],
])

const maxAttempts = 3

export function createIssueTokens({ authenticate, grantContext, revocations }: IssueTokensOptions): IssueTokens {
  return async (form, by) => {
    const grant = grants.get(form.get('grant_type'))
    if (!grant) throw new OAuthError('unsupported_grant_type', supportedGrants)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const stampFor = revocations.beginIssue()
      const tokens = await grant(form, await authenticate(form, by), { ...grantContext, stampFor })
      if (tokens) return tokens
      // The client, user, device or consent was revoked after it was read; it may exist again, so all is read again.
    }
    throw new ApiError('unavailable', 'The client, user or device is being revoked repeatedly; try again shortly')
  }
}
