/**
 * A refresh that never ends, because its tab is killed.
 * In: whether the request reaches the server; the answer never reaches the tab. Out: the tab's page, which holds the
 * lock.
 */
import type { Page } from 'playwright-core'
import type { Browser } from './a-browser.ts'

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

/** Ends the process of the page, as a crash or an operating system that needs memory would. */
export async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  // It never answers.
  session.send('Page.crash').catch(() => {})
  await crashed
}
