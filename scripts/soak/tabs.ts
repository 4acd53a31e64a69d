/** `pnpm soak --tabs N`: five tabs of examples/browser-app, whose tokens expire N times. Prints the result. */
import { aBrowser } from '../../e2e/browser-app/a-browser.ts'
import { expireRepeatedly, openSignedInTabs } from '../../e2e/browser-app/expiries.ts'
import { serveBrowserApp } from '../../e2e/browser-app/served-app.ts'

export async function soakTabsAndPrint(expiries: number): Promise<boolean> {
  const app = await serveBrowserApp()
  const browser = await aBrowser(app)
  try {
    const tabs = await openSignedInTabs(browser, 5)
    const startedAt = performance.now()
    const { refreshes, signedOut, problems } = await expireRepeatedly(browser, tabs, expiries)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    process.stdout.write(
      `5 tabs, ${expiries} expiries in ${seconds} s: ${refreshes.used} refreshes, ${refreshes.repeated} repeated, ` +
        `${refreshes.refused} refused, ${signedOut.length} tabs signed out, ${problems.length} lines in the console\n`,
    )
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    const isAsPromised = refreshes.used === expiries && refreshes.repeated + refreshes.refused === 0
    return isAsPromised && signedOut.length + problems.length === 0
  } finally {
    await browser.close()
    await app.stop()
  }
}
