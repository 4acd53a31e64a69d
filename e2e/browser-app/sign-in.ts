/** Signs the user of the seed in at the service's pages. In: the page, or the popup, that shows them. */
import type { Page } from 'playwright-core'
import { signIn } from '../pages/usable.ts'
import { pilot } from '../parts/seed.ts'

export async function signInAndApprove(page: Page, decision: 'Approve' | 'Deny' = 'Approve'): Promise<void> {
  const password = page.getByLabel('Password', { exact: true })
  const approve = page.getByRole('button', { name: decision })
  await password.or(approve).waitFor()
  // The service remembers who signed in before in this browser.
  if (await password.isVisible()) await signIn(page, pilot)
  await approve.click()
}
