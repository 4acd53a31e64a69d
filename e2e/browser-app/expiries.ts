/**
 * Tabs of one user, whose tokens expire again and again: shared by the suite and `pnpm soak --tabs`.
 * In: how many tabs and expiries. Out: how often refresh tokens were used, and which tabs were signed out.
 */
import type { BrowserApp } from './a-browser-app.ts'
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
export async function openSignedInTabs(app: BrowserApp, count: number): Promise<Tab[]> {
  const first = await app.openTab()
  await first.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signInAndApprove(first.page)
  await first.page.getByRole('button', { name: 'Sign out' }).waitFor()
  const tabs = [first]
  while (tabs.length < count) tabs.push(await app.openTab())
  await untilAllCalled(tabs)
  return tabs
}

/** Lets the access token expire, each time after every tab has called the service with the current one. */
export async function expireRepeatedly(app: BrowserApp, tabs: Tab[], expiries: number): Promise<ExpiriesResult> {
  for (let n = 0; n < expiries; n++) {
    app.expireTokens()
    await untilAllCalled(tabs)
  }
  const signedIn = await Promise.all(tabs.map(isSignedIn))
  return {
    expiries,
    refreshes: app.refreshes,
    signedOut: signedIn.flatMap((isIn, index) => (isIn ? [] : [index])),
    problems: tabs.flatMap(({ problems }) => problems),
  }
}
