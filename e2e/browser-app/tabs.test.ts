/** Five tabs of one user in a real Chromium: one refresh per expiry, whatever happens to the tab that does it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { testInChromium } from '../pages/chromium.ts'
import { aBrowser, type Browser } from './a-browser.ts'
import { openSignedInTabs } from './expiries.ts'
import { holdNextRefresh, kill, withoutRefreshes } from './held-refresh.ts'
import { type ServedApp, serveBrowserApp } from './served-app.ts'
import { announceLifetime } from './short-lifetimes.ts'
import { isSignedIn, untilAllCalled } from './tab.ts'

const hourMs = 60 * 60_000

describe('five tabs', () => {
  let app: ServedApp
  let browser: Browser

  beforeAll(async () => {
    app = await serveBrowserApp()
  })
  beforeEach(async () => {
    browser = await aBrowser(app)
  })
  afterEach(() => browser.close())
  afterAll(() => app.stop())

  testInChromium('refresh once ahead of each expiry, when tokens live for 4 s', async () => {
    await announceLifetime(browser, 4)
    const tabs = await openSignedInTabs(browser, 5)
    await until('the tabs refresh three times', () => browser.refreshes.used >= 3)
    await untilAllCalled(tabs)

    expect(browser.refreshes).toMatchObject({ repeated: 0, refused: 0 })
    expect(tabs.map(({ refused }) => refused())).toEqual([0, 0, 0, 0, 0])
  })

  // A server that has rotated the token answers the next tab's request with the same new pair.
  testInChromium.for(['nobody', 'the server'] as const)(
    'stay signed in when the tab that holds the lock is killed after its refresh reached %s',
    async (reaches) => {
      const tabs = await openSignedInTabs(browser, 5)
      const held = await holdNextRefresh(browser, reaches)
      app.expireTokens()
      const killed = await held.page
      await kill(killed)

      const others = tabs.filter(({ page }) => page !== killed)
      await untilAllCalled(others)

      expect(browser.refreshes).toEqual({ used: 1, repeated: 1, refused: 0 })
      expect(await Promise.all(others.map(isSignedIn))).toEqual([true, true, true, true])
    },
  )

  testInChromium('refresh once when the computer slept for an hour', async () => {
    const tabs = await openSignedInTabs(browser, 5)
    // A sleep moves all clocks at once.
    await withoutRefreshes(browser, async () => {
      app.server.advance(hourMs)
      for (const { page } of tabs) await page.evaluate(moveWallClock, hourMs)
    })
    await untilAllCalled(tabs)

    expect(browser.refreshes).toEqual({ used: 1, repeated: 0, refused: 0 })
    expect(await Promise.all(tabs.map(isSignedIn))).toEqual([true, true, true, true, true])
  })

  testInChromium.for([1, -1])(
    'stay signed in when the wall clock is set by %i hour, and the service has another time',
    async (hours) => {
      const tabs = await openSignedInTabs(browser, 2)
      for (const { page } of tabs) await page.evaluate(moveWallClock, hours * hourMs)
      await untilAllCalled(tabs)
      const refreshesOfTheClock = browser.refreshes.used
      expect(refreshesOfTheClock).toBeLessThanOrEqual(1)

      app.expireTokens()
      await untilAllCalled(tabs)
      expect(browser.refreshes).toEqual({ used: refreshesOfTheClock + 1, repeated: 0, refused: 0 })
    },
  )

  testInChromium('are all signed out when one of them is', async () => {
    const tabs = await openSignedInTabs(browser, 5)
    await tabs[2]?.page.getByRole('button', { name: 'Sign out' }).click()

    for (const { page } of tabs) await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})

/** Runs in the page. Timers go on as before, as after a sleep. */
function moveWallClock(ms: number): void {
  const now = Date.now
  Date.now = () => now() + ms
}
