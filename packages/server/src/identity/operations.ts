/** The HTTP operations of the identity provider. */
import type { Jwk, SignedInUser, TokenResponse } from '@posrep/spec'
import { ApiError } from '../errors.ts'
import type { Answer, Handlers } from '../http/operation/operation.ts'
import { getUser } from '../http/operation/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory } from '../ports/storage/directory.ts'
import { type AuthorizeContext, authorize } from './authorize/authorize.ts'
import { toMetadata } from './metadata.ts'
import { noStore } from './oauth-error.ts'
import type { AppSignOut } from './sign-out.ts'
import { readForm } from './token-endpoint/form.ts'
import type { IssuedTokens } from './token-endpoint/grant.ts'
import type { IssueTokens } from './token-endpoint/issue-tokens.ts'
import type { RevokeToken } from './token-endpoint/revoke-token.ts'

export type IdentityOperations = Pick<
  Handlers,
  'authorize' | 'issueToken' | 'revokeToken' | 'signOut' | 'getMe' | 'getAuthorizationServerMetadata' | 'getJwks'
>

export interface IdentityOperationsOptions {
  authorizeContext: AuthorizeContext
  issueTokens: IssueTokens
  revokeToken: RevokeToken
  appSignOut: AppSignOut
  directory: Pick<Directory, 'find'>
  clock: Clock
  publicJwks: () => Jwk[]
}

/** Public keys and metadata may be cached for 5 min: a key is published before it is used. */
const cacheable = { 'Cache-Control': 'public, max-age=300' }

export function identityOperations(options: IdentityOperationsOptions): IdentityOperations {
  const { authorizeContext, issueTokens, revokeToken, appSignOut, directory, clock, publicJwks } = options
  const metadata = toMetadata(authorizeContext.authOrigin)

  return {
    async authorize(request) {
      const page = await authorize(request, authorizeContext).catch(authorizeContext.errorPages.ofError)
      // `PageAnswer` has every status of the pages; this operation returns only the documented ones.
      return page as Answer<'authorize'>
    },

    async issueToken(request) {
      const form = readForm(request.body)
      const tokens = await issueTokens(form, request)
      return { status: 200, headers: noStore, body: toTokenResponse(tokens, form.find('state'), clock.now()) }
    },

    async revokeToken(request) {
      await revokeToken(readForm(request.body), request)
      return { status: 200, headers: noStore, body: {} }
    },

    async signOut(request) {
      const page = await appSignOut.begin(request).catch(authorizeContext.errorPages.ofError)
      // As above.
      return page as Answer<'signOut'>
    },

    async getMe(request) {
      const { userId, accountId } = getUser(request)
      const [user, account] = await Promise.all([directory.find('user', userId), directory.find('account', accountId)])
      // The user was removed after the token was verified.
      if (!user) throw new ApiError('invalid_token', 'The user of this token no longer exists')
      const body: SignedInUser = { userId, userName: user.email, accountId, accountName: account?.name ?? accountId }
      return { status: 200, body }
    },

    async getAuthorizationServerMetadata() {
      return { status: 200, headers: cacheable, body: metadata }
    },

    async getJwks() {
      return { status: 200, headers: cacheable, body: { keys: publicJwks() } }
    },
  }
}

function toTokenResponse(
  { accessToken, expiresAtMs, refreshToken, scopes }: IssuedTokens,
  state: string | undefined,
  nowMs: number,
): TokenResponse {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: Math.max(1, Math.ceil((expiresAtMs - nowMs) / 1000)),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(state !== undefined && { state }),
    scope: scopes.join(' '),
  }
}
