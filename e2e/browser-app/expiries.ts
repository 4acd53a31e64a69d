/**
 * Tabs of one user, whose tokens expire again and again: shared by the suite and `pnpm soak --tabs`.
 * In: how many tabs and expiries. Out: how often refresh tokens were used, and which tabs were signed out.
 */
import type { Browser } from './a-browser.ts'
import type { Refreshes } from './refresh-counter.ts'
import { signInAndApprove } from './sign-in.ts'
import { isSignedIn, type Tab, untilAllCalled } from './tab.ts'

export interface ExpiriesResult {
  expiries: number
  refreshes: Refreshes
  /** Numbers of the tabs that were signed out. */
  signedOut: number[]
  /** What the tabs wrote to the console. */
  problems: string[]
}

/** Signs in, in the first of the tabs; the others find the session. */
export async function openSignedInTabs(browser: Browser, count: number): Promise<Tab[]> {
  const first = await browser.openTab()
  await first.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signInAndApprove(first.page)
  await first.page.getByRole('button', { name: 'Sign out' }).waitFor()
  const others = Array.from({ length: count - 1 }, () => browser.openTab())
  const tabs = [first, ...(await Promise.all(others))]
  await untilAllCalled(tabs)
  return tabs
}

/** Lets the access token expire, each time after every tab has called the service with the current one. */
export async function expireRepeatedly(browser: Browser, tabs: Tab[], expiries: number): Promise<ExpiriesResult> {
  for (let n = 0; n < expiries; n++) {
    browser.app.expireTokens()
    await untilAllCalled(tabs)
  }
  const signedIn = await Promise.all(tabs.map(isSignedIn))
  return {
    expiries,
    refreshes: browser.refreshes,
    signedOut: signedIn.flatMap((isIn, index) => (isIn ? [] : [index])),
    problems: tabs.flatMap(({ problems }) => problems),
  }
}
