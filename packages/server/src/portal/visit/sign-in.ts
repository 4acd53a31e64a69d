/**
 * Signs users in to the portal: the authorization code flow with PKCE, with our own identity provider.
 * In: the page that the browser requested. Out: a redirect to the authorization endpoint; after the callback, a session
 * and a redirect to that page. The state of a pending sign-in is kept on the server and bound to the browser.
 */

import { OAuthError } from '../../identity/oauth-error.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret, isSameSecret, randomSecret } from '../../secrets.ts'
import { findBrowserSecret, toBrowserSecret } from '../../web/cookies.ts'
import { signInFailedPage } from '../layout/error.tsx'
import { callbackPath } from '../layout/paths.ts'
import { portalClientId } from './portal-client.ts'
import type { PortalSessions, Unsent } from './session.ts'
import type { TokenClient } from './token-client.ts'

export interface PortalSignIn {
  /**
   * @param destination A path built by the portal, never one from a request.
   * @param unsent A form of that page. After sign-in the page is requested with `?unsent` and shows the form's text again.
   */
  begin(destination: string, cookies: string | undefined, unsent?: Unsent): Promise<PageAnswer>
  complete(callback: URLSearchParams, cookies: string | undefined): Promise<PageAnswer>
}

export interface PortalSignInOptions {
  store: Store
  sessions: PortalSessions
  tokens: TokenClient
  authorizationEndpoint: string
  issuer: string
  uiOrigin: string
}

interface PendingSignIn {
  destination: string
  codeVerifier: string
  browserHash: string
  unsent?: Unsent
}

const ttlMs = 30 * 60_000

export function createPortalSignIn(options: PortalSignInOptions): PortalSignIn {
  const { store, sessions, tokens, authorizationEndpoint, issuer, uiOrigin } = options
  const redirectUri = `${uiOrigin}${callbackPath}`

  return {
    async begin(destination, cookies, unsent) {
      const { secret, cookie } = toBrowserSecret(cookies)
      const state = randomSecret()
      const codeVerifier = randomSecret()
      const pending: PendingSignIn = {
        destination,
        codeVerifier,
        browserHash: hashSecret(secret),
        ...(unsent && { unsent }),
      }
      await store.put(toKey(state), pending, ttlMs)
      const request = new URLSearchParams({
        client_id: portalClientId,
        response_type: 'code',
        scope: 'surveillance_api',
        redirect_uri: redirectUri,
        state,
        code_challenge: hashSecret(codeVerifier),
        code_challenge_method: 'S256',
      })
      return redirectAnswer(303, `${authorizationEndpoint}?${request}`, cookie)
    },

    async complete(callback, cookies) {
      const secret = findBrowserSecret(cookies)
      const pending = await store.take<PendingSignIn>(toKey(callback.get('state') ?? ''))
      // RFC 6749 §10.12 and RFC 9207: a callback that this browser did not start, or that another issuer sent, is refused.
      if (!pending || secret === undefined || !isSameSecret(pending.browserHash, hashSecret(secret))) {
        return signInFailedPage('expired')
      }
      if (callback.get('iss') !== issuer) return signInFailedPage('refused')
      const code = callback.get('code')
      if (code === null) return signInFailedPage(callback.get('error') === 'access_denied' ? 'denied' : 'refused')
      try {
        const issued = await tokens.redeem(code, redirectUri, pending.codeVerifier)
        const { destination, unsent } = pending
        return redirectAnswer(303, unsent ? `${destination}?unsent` : destination, await sessions.begin(issued, unsent))
      } catch (error) {
        if (error instanceof OAuthError) return signInFailedPage('refused')
        throw error
      }
    },
  }
}

function toKey(state: string): string {
  return `portal-sign-in:${hashSecret(state)}`
}
