/**
 * Signs users in to the portal: the authorization code flow with PKCE, with our own identity provider.
 * In: the page that the browser requested. Out: a redirect to the authorization endpoint; after the callback, a session
 * and a redirect to that page. Until then nothing is stored: a pending sign-in is its own `state`, sealed and bound to
 * the browser.
 */

import { createLimit } from '../../concurrency/limit.ts'
import { OAuthError } from '../../identity/oauth-error.ts'
import { findOwn } from '../../identity/people/own-form.ts'
import { type Transactions, toTransactionSecret } from '../../identity/people/sign-in-transaction.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { hashSecret } from '../../secrets.ts'
import { toBrowserSecret } from '../../web/cookies.ts'
import type { SignInFailure } from '../layout/error.tsx'
import { callbackPath, homePath, signInFailedPath } from '../layout/paths.ts'
import { portalClientId } from './portal-client.ts'
import { type PortalSessions, toPortalCookie, type Unsent } from './session.ts'
import type { TokenClient } from './token-client.ts'

export interface PortalSignIn {
  /**
   * @param destination A path built by the portal, never one from a request.
   * @param hasUnsent A form of that page is kept. After sign-in the page is requested with `?unsent` and shows its text
   * again.
   */
  begin(destination: string, cookies: string | undefined, hasUnsent?: boolean): Promise<PageAnswer>
  complete(callback: URLSearchParams, cookies: string | undefined): Promise<PageAnswer>
}

export interface PendingSignIn {
  destination: string
  hasUnsent: boolean
}

export interface PortalSignInOptions {
  transactions: Transactions<PendingSignIn>
  sessions: PortalSessions
  tokens: TokenClient
  authorizationEndpoint: string
  issuer: string
  uiOrigin: string
}

/** A longer one, which no page of ours links to, is replaced by the first page: a `state` has at most 2,048 bytes. */
const maxDestinationLength = 1_000

export function createPortalSignIn(options: PortalSignInOptions): PortalSignIn {
  const { transactions, sessions, tokens, authorizationEndpoint, issuer, uiOrigin } = options
  const redirectUri = `${uiOrigin}${callbackPath}`
  /** The callback of a double click waits for that of the first click, and gets its session. */
  const oneAtATime = createLimit()

  /** Begins the session, unless an earlier callback of this sign-in has. @throws OAuthError when the code is refused */
  async function beginSession(
    secret: string,
    code: string,
    codeVerifier: string,
    unsent: () => Promise<Unsent | undefined>,
  ) {
    if (await sessions.has(secret)) return
    await sessions.begin(secret, await tokens.redeem(code, redirectUri, codeVerifier), await unsent())
  }

  return {
    async begin(destination, cookies, hasUnsent = false) {
      const { secret, cookie } = toBrowserSecret(cookies)
      const isShort = destination.length <= maxDestinationLength
      const { sealed: state, id } = transactions.begin(
        { destination: isShort ? destination : homePath, hasUnsent },
        secret,
      )
      const request = new URLSearchParams({
        client_id: portalClientId,
        response_type: 'code',
        scope: 'surveillance_api',
        redirect_uri: redirectUri,
        state,
        code_challenge: hashSecret(toCodeVerifier(secret, id)),
        code_challenge_method: 'S256',
      })
      return redirectAnswer(303, `${authorizationEndpoint}?${request}`, cookie)
    },

    async complete(callback, cookies) {
      // RFC 6749 §10.12 and RFC 9207: a callback that this browser did not start, or that another issuer sent, is
      // refused.
      const own = findOwn(transactions, { cookies }, callback.get('state') ?? '')
      if (typeof own === 'string') return failed(own)
      if (callback.get('iss') !== issuer) return failed('refused')
      const code = callback.get('code')
      if (code === null) return failed(callback.get('error') === 'access_denied' ? 'denied' : 'refused')
      const { id, destination, hasUnsent } = own.transaction
      const secret = toTransactionSecret(own.secret, id, 'portal session')
      const unsent = async () => (hasUnsent ? sessions.takeUnsent(cookies) : undefined)
      try {
        await oneAtATime(id, () => beginSession(secret, code, toCodeVerifier(own.secret, id), unsent))
        return redirectAnswer(303, hasUnsent ? `${destination}?unsent` : destination, toPortalCookie(secret))
      } catch (error) {
        if (error instanceof OAuthError) return failed('refused')
        throw error
      }
    },
  }
}

/** The page has an address of its own, without the code or the state of the sign-in. */
function failed(reason: SignInFailure): PageAnswer {
  return redirectAnswer(303, `${signInFailedPath}?reason=${reason}`)
}

function toCodeVerifier(browserSecret: string, transactionId: string): string {
  return toTransactionSecret(browserSecret, transactionId, 'code verifier')
}
