/** A browser at the portal of a real server: cookies, redirects, forms; no JavaScript. */
import type { ServerUnderTest } from '../a-server.ts'
import { aBrowser, type Page } from '../identity/a-browser.ts'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }

export type PortalVisitor = ReturnType<typeof aPortalVisitor>

export function aPortalVisitor({ origin, fetch }: Pick<ServerUnderTest, 'origin' | 'fetch'>) {
  // Both are fetch of the standard; their types come from two places.
  const browser = aBrowser(origin, { 'user-agent': 'Firefox/140.0' }, fetch as unknown as typeof globalThis.fetch)

  /** Follows redirects to a page. */
  async function land(page: Page): Promise<Page> {
    return page.location ? land(await browser.get(page.location.href)) : page
  }

  return {
    ...browser,
    land,
    open: async (path: string) => land(await browser.get(path)),
    /** Presses a button and goes where that leads. */
    press: async (page: Page, button: string, typed: Record<string, string> = {}) =>
      land(await browser.press(page, button, typed)),
    submit: browser.press,
    /** Asks for a page, signs in, approves, and comes back to it. */
    async enter(path = '/devices', user = pilot): Promise<Page> {
      const signIn = await land(await browser.get(path))
      const approval = await land(await browser.press(signIn, 'Sign in', user))
      return land(await browser.press(approval, 'Approve'))
    },
  }
}
