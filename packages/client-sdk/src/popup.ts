/**
 * Signs a user in without leaving the page: the sign-in page opens in a popup.
 * In: a Posrep, in the handler of a click. Out: a signed-in user.
 * See the specification, § User login and § Limits, "Suggestions".
 */
import { LoginError } from './errors.ts'
import { type Clock, findSystemPage, type Page, type Popup, systemClock } from './ports.ts'
import type { Posrep } from './posrep.ts'
import { sleep } from './request/sleep.ts'

export type { Page, Popup } from './ports.ts'

export interface PopupOptions {
  /** Closes the popup; signInWithPopup() rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Width of the popup in CSS pixels. Default 500. */
  width?: number
  /** Height of the popup in CSS pixels. Default 600. */
  height?: number
  /** How often the popup's address is read, in ms. Default 150. */
  pollMs?: number
  /** Default: the page. */
  page?: Page | undefined
  /** Default: the system clock. */
  clock?: Clock
}

/**
 * Call it in the handler of a click, before any `await`: otherwise browsers block the popup. When the popup is blocked, the tab
 * itself goes to the sign-in page, as with signIn(). The page at the redirect URI may be empty, or call handleCallback().
 *
 * @throws LoginError `popup_closed` when the user closed the popup; otherwise as completeSignIn()
 */
export async function signInWithPopup(
  posrep: Pick<Posrep, 'signIn' | 'startSignIn' | 'completeSignIn'>,
  { signal, width = 500, height = 600, pollMs = 150, page = findSystemPage(), clock = systemClock }: PopupOptions = {},
): Promise<void> {
  signal?.throwIfAborted()
  if (!page) throw new LoginError('not_a_browser', 'There is no page here; use startSignIn() and completeSignIn()')
  const popup = page.open('', 'posrep-sign-in', toFeatures({ width, height, screen: page.screen }))
  if (!popup || popup.closed) return posrep.signIn()
  try {
    const { url, pending } = await posrep.startSignIn({ popup: true })
    popup.location.replace(url)
    const callback = await readCallback(popup, pending.state)
    await posrep.completeSignIn(pending, callback)
  } finally {
    popup.close()
  }

  /** Resolves with the popup's address when it has the sign-in's `state`. */
  async function readCallback(popup: Popup, state: string): Promise<string> {
    for (;;) {
      await sleep(clock, pollMs, signal)
      if (popup.closed)
        throw new LoginError('popup_closed', 'The popup was closed before the sign-in was finished; start again')
      const address = findAddress(popup)
      if (address && new URL(address).searchParams.get('state') === state) return address
    }
  }
}

/** Undefined while the popup shows a page of another origin, such as the sign-in page. */
function findAddress({ location }: Popup): string | undefined {
  try {
    return location.href
  } catch {
    // Browsers let no page read another origin's address.
    return undefined
  }
}

function toFeatures({ width, height, screen }: { width: number; height: number; screen: Page['screen'] }): string {
  const left = Math.max(0, Math.round((screen.width - width) / 2))
  const top = Math.max(0, Math.round((screen.height - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
