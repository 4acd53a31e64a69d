/**
 * What the portal asks of the identity provider's operations, as any client would, without the way over the network.
 * In: codes and tokens. Out: tokens, and the user that a token speaks for.
 */
import { ApiError } from '../errors.ts'
import type { Answer, Handlers, OperationRequest } from '../http/operation.ts'
import type { UserPrincipal } from '../http/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { VerifyAccessToken } from '../ports/principal.ts'
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
  async function issue(form: Record<string, string>): Promise<Tokens> {
    const answer: Answer<'issueToken'> = await handlers.issueToken(toRequest(form))
    // Refusals are thrown; what is answered is the token response, and our client is registered for refresh tokens.
    const {
      access_token: accessToken,
      refresh_token: refreshToken = '',
      expires_in: seconds,
    } = answer.body as {
      access_token: string
      refresh_token?: string
      expires_in: number
    }
    return { accessToken, refreshToken, expiresAtMs: clock.now() + seconds * 1_000 }
  }

  return {
    redeem: (code, redirectUri, codeVerifier) =>
      issue({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }),
    refresh: (refreshToken) => issue({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async revoke(token) {
      await handlers.revokeToken(toRequest({ token }))
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

function toRequest<K extends 'issueToken' | 'revokeToken'>(form: Record<string, string>): OperationRequest<K> {
  const request = { path: {}, query: {}, text: '', search: '', headers: {}, address: '' }
  // The forms above are those that the document has for these operations.
  return { ...request, body: { client_id: portalClientId, ...form } } as unknown as OperationRequest<K>
}
