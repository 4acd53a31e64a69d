/** Refreshes that wait on their way to the server. */
import type { Page } from 'playwright-core'
import type { Browser } from './a-browser.ts'

/**
 * A refresh that never ends, because its tab is killed.
 * @param reaches Whether the request reaches the server; the answer never reaches the tab.
 * @returns The tab's page, which holds the lock.
 */
export async function holdNextRefresh(
  { app, context }: Browser,
  reaches: 'nobody' | 'the server',
): Promise<{ page: Promise<Page> }> {
  const held = Promise.withResolvers<Page>()
  let isHeld = false
  await context.route(`${app.server.origin}/oauth/v2/token`, async (route) => {
    if (isHeld) return route.continue()
    isHeld = true
    if (reaches === 'the server') await route.fetch()
    held.resolve(route.request().frame().page())
  })
  return { page: held.promise }
}

/** Nothing is refreshed during the work; what is asked for meanwhile is refreshed afterwards. */
export async function withoutRefreshes({ app, context }: Browser, work: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  await context.route(`${app.server.origin}/oauth/v2/token`, async (route) => {
    await over.promise
    await route.continue()
  })
  await work()
  over.resolve()
}

/** Ends the process of the page, as a crash or an operating system that needs memory would. */
export async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  // It never answers.
  session.send('Page.crash').catch(() => {})
  await crashed
}
