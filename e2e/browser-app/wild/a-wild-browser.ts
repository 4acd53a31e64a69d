/** A real Chromium as users have it: with pages kept for Back, and a name that leads to this machine. */
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { hangsAfterMs } from '../../../testing/real-time.ts'

export interface WildPage {
  page: Page
  /** How often the path was requested as a page. */
  visits(path: string): number
  /** Uncaught errors of the app's pages. */
  errors: string[]
}

export interface WildBrowser {
  open(address: string): Promise<WildPage>
  close(): Promise<void>
}

export async function aWildBrowser(options: LaunchOptions): Promise<WildBrowser> {
  const browser: Browser = await chromium.launch({
    ...options,
    args: [...(options.args ?? []), '--host-resolver-rules=MAP app.test 127.0.0.1'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context = await browser.newContext()
  context.setDefaultTimeout(hangsAfterMs)
  return {
    async open(address) {
      const page = await context.newPage()
      const visited: string[] = []
      const errors: string[] = []
      page.on('request', (request) => request.isNavigationRequest() && visited.push(new URL(request.url()).pathname))
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(address)
      return { page, errors, visits: (path) => visited.filter((one) => one === path).length }
    },
    close: () => browser.close(),
  }
}
