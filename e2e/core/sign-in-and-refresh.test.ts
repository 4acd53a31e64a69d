/** Sign-in and refresh in a browser: examples/browser-app in five tabs of one user in Chromium. */
import { expect } from 'vitest'
import { aBrowser } from '../browser-app/a-browser.ts'
import { expireRepeatedly, openSignedInTabs } from '../browser-app/expiries.ts'
import { serveBrowserApp } from '../browser-app/served-app.ts'
import { testInChromium } from '../pages/chromium.ts'

testInChromium('five tabs of a user who signed in refresh once per expiry', async () => {
  const app = await serveBrowserApp()
  const browser = await aBrowser(app)
  try {
    const tabs = await openSignedInTabs(browser, 5)

    expect(await expireRepeatedly(browser, tabs, 4)).toEqual({
      expiries: 4,
      refreshes: { used: 4, repeated: 0, refused: 0 },
      signedOut: [],
      problems: [],
    })
  } finally {
    await browser.close()
    await app.stop()
  }
})
