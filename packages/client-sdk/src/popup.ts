/**
 * Signs a user in without leaving the page: the sign-in page opens in a popup.
 * In: a Posrep, in the handler of a click. Out: a signed-in user. See the specification, § User login and § Limits,
 * "Suggestions".
 *
 * The popup's address is read, and its callback page sends the address on a channel as well: a
 * Cross-Origin-Opener-Policy of the app's pages makes a popup look closed, at once or when it comes back to the app.
 * What the policy is, the page asks its server.
 */
import { LoginError } from './errors.ts'
import { checkOrigin } from './login/page-sign-in.ts'
import { checkNoOthers } from './origins.ts'
import {
  type Channel,
  type Clock,
  type Fetch,
  findSystemPage,
  openSystemChannel,
  type Page,
  type Popup,
  systemClock,
  systemFetch,
} from './ports.ts'
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
  /** Time for the whole sign-in, in ms. Default 600,000: ten minutes. */
  timeoutMs?: number
  /** Default: the page. */
  page?: Page | undefined
  /** Opens the channel that the callback page sends its address on. Default: a BroadcastChannel. */
  openChannel?: (name: string) => Channel | undefined
  /** Asks for the policy of the app's pages. Default: the global fetch. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
}

/** For this time the callback page may still send its address after it made the popup look closed. */
const callbackLoadsMs = 10_000

/**
 * Call it in the handler of a click, before any `await`: otherwise browsers block the popup. When the popup is blocked,
 * the tab itself goes to the sign-in page, as with signIn(). The page at the redirect URI calls handleCallback();
 * without a Cross-Origin-Opener-Policy it may be empty.
 *
 * @throws LoginError `popup_closed` when the user closed the popup, `popup_timeout` after `timeoutMs`, `wrong_origin`
 * and `insecure_origin` as signIn(); otherwise as completeSignIn()
 * @example
 * ```ts
 * import type { Posrep } from '@posrep/client-sdk'
 * import { signInWithPopup } from '@posrep/client-sdk/popup'
 *
 * export function signInOnClick(posrep: Posrep, button: HTMLElement) {
 *   button.onclick = () => signInWithPopup(posrep)
 * }
 * ```
 */
export async function signInWithPopup(
  posrep: Pick<Posrep, 'signIn' | 'startSignIn' | 'completeSignIn'>,
  {
    signal,
    width = 500,
    height = 600,
    pollMs = 150,
    timeoutMs = 600_000,
    page = findSystemPage(),
    openChannel = openSystemChannel,
    fetch = systemFetch,
    clock = systemClock,
    ...others
  }: PopupOptions = {},
): Promise<void> {
  checkNoOthers(others, 'signInWithPopup')
  signal?.throwIfAborted()
  if (!page) throw new LoginError('not_a_browser', 'Not in a page; use startSignIn() and completeSignIn()')
  const { href, origin } = new URL(page.location.href)
  const popup = page.open('', 'posrep-sign-in', toFeatures({ width, height, screen: page.screen }))
  if (!popup || popup.closed) return posrep.signIn({ returnTo: href })
  const close = () => popup.close()
  page.addEventListener('pagehide', close)
  let channel: Channel | undefined
  try {
    const { url, pending } = await posrep.startSignIn({ popup: true })
    const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? ''
    checkOrigin(redirectUri, origin)
    channel = openChannel(pending.state)
    popup.location.replace(url)
    const callback = await readCallback(popup, { state: pending.state, channel, pages: [href, redirectUri] })
    await posrep.completeSignIn(pending, callback)
  } finally {
    page.removeEventListener('pagehide', close)
    channel?.close?.()
    close()
  }

  /** Resolves with the address of the callback page, which has the sign-in's `state`. */
  async function readCallback(
    popup: Popup,
    { state, channel, pages }: { state: string; channel: Channel | undefined; pages: string[] },
  ): Promise<string> {
    const isCallback = (address: string | undefined): address is string =>
      address !== undefined && URL.canParse(address) && new URL(address).searchParams.get('state') === state
    let sent: string | undefined
    if (channel) {
      channel.onmessage = ({ data }) => {
        if (isCallback(data)) sent = data
      }
    }
    const endMs = clock.now() + timeoutMs
    let closedUntilMs: number | undefined
    for (;;) {
      await sleep(clock, pollMs, signal)
      const address = sent ?? findAddress(popup)
      if (isCallback(address)) return address
      if (clock.now() >= endMs) {
        throw new LoginError('popup_timeout', `The sign-in was not finished within ${timeoutMs} ms; start again`)
      }
      if (!popup.closed) continue
      closedUntilMs ??= clock.now() + (await findWaitMs(pages, fetch))
      if (sent === undefined && clock.now() >= closedUntilMs) {
        throw new LoginError('popup_closed', 'The popup was closed before the sign-in was finished; start again')
      }
    }
  }
}

/** For how long a popup that looks closed may still be open. */
async function findWaitMs(pages: string[], fetch: Fetch): Promise<number> {
  const [page, callbackPage] = await Promise.all(pages.map((address) => findPolicy(address, fetch)))
  // The popup has looked closed since it left this origin.
  if (page !== undefined && page !== 'same-origin-allow-popups') return Number.POSITIVE_INFINITY
  return (page ?? callbackPage) ? callbackLoadsMs : 0
}

/** The Cross-Origin-Opener-Policy of a page of this origin, if it has one. */
async function findPolicy(address: string, fetch: Fetch): Promise<string | undefined> {
  try {
    const { headers } = await fetch(new Request(address, { method: 'HEAD', signal: AbortSignal.timeout(2_000) }))
    const [policy = ''] = (headers.get('cross-origin-opener-policy') ?? '').split(';')
    return policy === '' || policy === 'unsafe-none' ? undefined : policy
  } catch {
    // The page cannot be reached: what looks closed counts as closed.
    return undefined
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
