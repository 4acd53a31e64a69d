/**
 * Calls the identity provider's operations as any client would, but inside this process.
 * In: codes and tokens. Out: tokens, and the user of an access token.
 */
import type { TokenRequest, TokenResponse } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { Handlers } from '../../http/operation/operation.ts'
import { toOperationRequest } from '../../http/operation/operation-request.ts'
import type { UserPrincipal } from '../../http/operation/principal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { VerifyAccessToken } from '../../ports/principal.ts'
import { portalClientId } from './portal-client.ts'

export interface Tokens {
  accessToken: string
  refreshToken: string
  expiresAtMs: number
}

export interface TokenClient {
  /** @throws OAuthError when the code is refused */
  redeem(code: string, redirectUri: string, codeVerifier: string): Promise<Tokens>
  /** @throws OAuthError when the refresh token is refused */
  refresh(refreshToken: string): Promise<Tokens>
  revoke(refreshToken: string): Promise<void>
  /** Undefined for a token that is not valid now. */
  findUser(accessToken: string): Promise<UserPrincipal | undefined>
}

export interface TokenClientOptions {
  handlers: Pick<Handlers, 'issueToken' | 'revokeToken'>
  verifyAccessToken: VerifyAccessToken
  clock: Clock
}

export function createTokenClient({ handlers, verifyAccessToken, clock }: TokenClientOptions): TokenClient {
  async function issue(form: TokenRequest): Promise<Tokens> {
    const answer = await handlers.issueToken(toOperationRequest({ body: { client_id: portalClientId, ...form } }))
    // The operation throws what it refuses; the portal's client is registered for refresh tokens.
    const { access_token: accessToken, refresh_token: refreshToken = '', expires_in } = answer.body as TokenResponse
    return { accessToken, refreshToken, expiresAtMs: clock.now() + expires_in * 1_000 }
  }

  return {
    redeem: (code, redirectUri, codeVerifier) =>
      issue({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }),
    refresh: (refreshToken) => issue({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async revoke(token) {
      await handlers.revokeToken(toOperationRequest({ body: { client_id: portalClientId, token } }))
    },
    async findUser(accessToken) {
      try {
        const principal = await verifyAccessToken(accessToken, 'user')
        return principal.kind === 'user' ? principal : undefined
      } catch (error) {
        if (error instanceof ApiError && error.code === 'invalid_token') return undefined
        throw error
      }
    },
  }
}
