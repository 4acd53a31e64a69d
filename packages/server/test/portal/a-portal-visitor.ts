/** A browser without JavaScript that uses the portal of a real server: cookies, redirects, forms. */
import type { ServerUnderTest } from '../a-server.ts'
import { aBrowser, type Page } from '../identity/a-browser.ts'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }

export type PortalVisitor = ReturnType<typeof aPortalVisitor>

export function aPortalVisitor({ origin, fetch }: Pick<ServerUnderTest, 'origin' | 'fetch'>) {
  // Both are the standard fetch, with types from two packages.
  const browser = aBrowser(origin, { 'user-agent': 'Firefox/140.0' }, fetch as unknown as typeof globalThis.fetch)

  /** Requests a page and follows redirects. */
  async function land(page: Page): Promise<Page> {
    return page.location ? land(await browser.get(page.location.href)) : page
  }

  return {
    ...browser,
    land,
    open: async (path: string) => land(await browser.get(path)),
    /** Presses a button and follows redirects. */
    press: async (page: Page, button: string, typed: Record<string, string> = {}) =>
      land(await browser.press(page, button, typed)),
    submit: browser.press,
    /** Requests a page, signs in, approves, and returns to the page. */
    async enter(path = '/devices', user = pilot): Promise<Page> {
      const signIn = await land(await browser.get(path))
      const approval = await land(await browser.press(signIn, 'Sign in', user))
      return land(await browser.press(approval, 'Approve'))
    },
  }
}
