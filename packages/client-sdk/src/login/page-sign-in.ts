/**
 * Signs a user in on a web page by redirects, without the app's help.
 * In: a login, and the page. Out: the tab at the sign-in page; later, on the callback page, the tokens.
 */
import { LoginError } from '../errors.ts'
import type { Page, WebStorage } from '../ports.ts'
import type { Tokens } from '../session/tokens.ts'
import { type Login, type PendingLogin, popupPrefix } from './login.ts'

export interface PageSignInOptions {
  login: Pick<Login, 'start' | 'complete'>
  redirectUri: string
  page: Page | undefined
  /** Remembers the sign-in of this tab until the callback. */
  storage: WebStorage | undefined
}

export interface PageSignIn {
  /** See Posrep.signIn(). */
  start(): Promise<never>
  /** Resolves with the tokens if the address is a callback. */
  complete(): Promise<Tokens | undefined>
}

export function createPageSignIn({ login, redirectUri, page, storage }: PageSignInOptions): PageSignIn {
  return {
    async start() {
      const { location } = getPage()
      const { url, pending } = await login.start()
      try {
        if (!storage) throw new Error('There is no sessionStorage')
        storage.setItem(toKey(pending.state), JSON.stringify(pending))
      } catch (cause) {
        const message = 'sessionStorage is disabled or full; use signInWithPopup()'
        throw new LoginError('storage_unavailable', message, { cause })
      }
      location.assign(url)
      return new Promise<never>(() => {}) // the page ends
    },

    async complete() {
      const { location, history, opener } = getPage()
      const address = new URL(location.href)
      const state = findState(address)
      if (state === undefined) return undefined
      const isInPopup = state.startsWith(popupPrefix) && opener !== null && !opener.closed
      if (isInPopup) return new Promise<never>(() => {}) // the page that opened the popup reads its address and closes it
      const pending = takePending(state)
      // Before anything can fail, so that the code is neither in the history nor sent again by a reload.
      history.replaceState(history.state, '', redirectUri + address.hash)
      if (pending) return login.complete(pending, address)
      throw new LoginError('state_mismatch', 'The callback belongs to another login, or to an ended one; start again')
    },
  }

  /** The callback's `state`. Undefined if the address is not a callback. */
  function findState({ origin, pathname, searchParams }: URL): string | undefined {
    const registered = new URL(redirectUri)
    if (origin !== registered.origin || pathname !== registered.pathname) return undefined
    const isCallback = searchParams.has('code') || searchParams.has('error')
    return isCallback ? (searchParams.get('state') ?? '') : undefined
  }

  function takePending(state: string): PendingLogin | undefined {
    try {
      const text = storage?.getItem(toKey(state))
      storage?.removeItem(toKey(state))
      // It was written by start(); what other scripts wrote fails at the exchange of the code.
      return text ? (JSON.parse(text) as PendingLogin) : undefined
    } catch {
      // Storage was disabled, or the item is not JSON: nothing is pending.
      return undefined
    }
  }

  function getPage(): Page {
    if (page) return page
    throw new LoginError('not_a_browser', 'There is no page here; use startSignIn() and completeSignIn()')
  }
}

function toKey(state: string): string {
  return `posrep.pending.${state}`
}
