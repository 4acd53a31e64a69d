/**
 * The token endpoint (specification, "Token request"; RFC 6749 §3.2): picks the grant.
 * In: the form and its caller. Out: tokens; refusals are thrown as OAuthError.
 */

import { OAuthError, supportedGrants } from '../oauth-error.ts'
import type { AuthenticateCaller, TokenEndpointRequest } from './authenticate-caller.ts'
import { issueByCode } from './authorization-code-grant.ts'
import { issueByClientCredentials } from './client-credentials-grant.ts'
import type { Form } from './form.ts'
import type { GrantContext, IssueByGrant, IssuedTokens } from './grant.ts'
import { issueByRefreshToken } from './refresh-token-grant.ts'

export type IssueTokens = (form: Form, by: TokenEndpointRequest) => Promise<IssuedTokens>

export interface IssueTokensOptions {
  authenticate: AuthenticateCaller
  grantContext: GrantContext
}

const grants = new Map<string, IssueByGrant>([
  ['authorization_code', issueByCode],
  ['refresh_token', issueByRefreshToken],
  ['client_credentials', issueByClientCredentials],
])

export function createIssueTokens({ authenticate, grantContext }: IssueTokensOptions): IssueTokens {
  return async (form, by) => {
    const grant = grants.get(form.get('grant_type'))
    if (!grant) throw new OAuthError('unsupported_grant_type', supportedGrants)
    return grant(form, () => authenticate(form, by), grantContext)
  }
}
