/**
 * Signs a user in on a web page by redirects, without the app's help.
 * In: a login, and the page. Out: the tab at the sign-in page; later, on the callback page, the tokens.
 */
import { LoginError } from '../errors.ts'
import { openSystemChannel, type Page, type WebStorage } from '../ports.ts'
import type { Tokens } from '../session/tokens.ts'
import { type Login, type PendingLogin, popupPrefix } from './login.ts'

export interface PageSignInOptions {
  login: Pick<Login, 'start' | 'complete'>
  /** Origin of the identity provider. */
  issuer: string
  clientId: string
  redirectUri: string
  page: Page | undefined
  /** Remembers the sign-in of this tab until the callback. */
  storage: WebStorage | undefined
}

export interface SignInOptions {
  /**
   * The address that handleCallback() puts into the address bar afterwards, also after a refusal: of this origin, for
   * example `location.href`. Default: the callback page without the callback's parameters.
   */
  returnTo?: string | URL | undefined
}

export interface PageSignIn {
  /** See Posrep.signIn(). */
  start(options?: SignInOptions): Promise<never>
  /** Resolves with the tokens if the address is a callback of this client. */
  complete(): Promise<Tokens | undefined>
}

interface PendingPage extends PendingLogin {
  returnTo?: string | undefined
}

export function createPageSignIn(options: PageSignInOptions): PageSignIn {
  const { login, issuer, clientId, redirectUri, page, storage } = options
  const registered = new URL(redirectUri)

  return {
    async start({ returnTo } = {}) {
      const page = getPage()
      const { href, origin } = new URL(page.location.href)
      checkOrigin(redirectUri, origin)
      const target = returnTo === undefined ? undefined : new URL(returnTo, href)
      if (target && target.origin !== origin) {
        throw new TypeError(`"returnTo" must be at "${origin}", got "${target.href}"`)
      }
      const { url, pending } = await login.start()
      const kept: PendingPage = { ...pending, returnTo: target?.href }
      try {
        // Without a storage this throws, too.
        ;(storage as WebStorage).setItem(toKey(pending.state), JSON.stringify(kept))
      } catch (cause) {
        const message = 'sessionStorage is disabled or full; use signInWithPopup()'
        throw new LoginError('storage_unavailable', message, { cause })
      }
      return new Promise<never>((_resolve, reject) => {
        // Usually the page ends. A browser may keep it, and show it again when the user presses Back.
        page.addEventListener('pageshow', ({ persisted }) => {
          if (persisted) reject(new LoginError('sign_in_left', 'The user came back; start again'))
        })
        page.location.assign(url)
      })
    },

    async complete() {
      const page = getPage()
      const { location, history } = page
      const address = new URL(location.href)
      const { searchParams } = address
      if (!searchParams.has('code') && !searchParams.has('error')) return undefined
      const state = searchParams.get('state') ?? ''
      if (state.startsWith(popupPrefix)) return handOver(page, state)
      const pending = takePending(state)
      // A callback that another library began is left to it.
      if (!pending && searchParams.get('iss') !== issuer) return undefined
      // Before anything can fail, so that the code is neither in the history nor sent again by a reload.
      const { origin, pathname, hash } = address
      history.replaceState(history.state, '', pending?.returnTo ?? `${origin}${pathname}${registered.search}${hash}`)
      if (pending) return login.complete(pending, address)
      throw new LoginError('state_mismatch', 'The callback is of another or an ended sign-in; start again')
    },
  }

  function takePending(state: string): PendingPage | undefined {
    try {
      const text = storage?.getItem(toKey(state))
      storage?.removeItem(toKey(state))
      // It was written by start(); what other scripts wrote fails at the exchange of the code.
      return text ? (JSON.parse(text) as PendingPage) : undefined
    } catch {
      // Storage was disabled, or the item is not JSON: nothing is pending.
      return undefined
    }
  }

  function toKey(state: string): string {
    return `posrep.pending.${issuer} ${clientId}.${state}`
  }

  function getPage(): Page {
    if (page) return page
    throw new LoginError('not_a_browser', 'Not in a page; use startSignIn() and completeSignIn()')
  }
}

/** The callback would arrive where nobody knows of the sign-in. @throws LoginError `wrong_origin` */
export function checkOrigin(redirectUri: string, pageOrigin: string): void {
  const { origin } = new URL(redirectUri)
  if (origin === pageOrigin) return
  throw new LoginError(
    'wrong_origin',
    `The page is at "${pageOrigin}", "redirectUri" at "${origin}"; open the app there`,
  )
}

/**
 * In a popup the page that opened it finishes the sign-in. It reads the popup's address, or gets it here: a
 * Cross-Origin-Opener-Policy hides the two from each other. Then the popup closes.
 *
 * @throws LoginError `popup_closed`, for a window that cannot close itself
 */
function handOver(page: Page, state: string): never {
  const channel = openSystemChannel(state)
  if (channel) {
    channel.postMessage(page.location.href)
    page.close()
  }
  throw new LoginError('popup_closed', 'The sign-in goes on in another window')
}
