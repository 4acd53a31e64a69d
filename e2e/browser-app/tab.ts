/**
 * A tab with examples/browser-app. In: the browser. Out: the page, the answers that it got, and what it wrote to the
 * console.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../../testing/real-time.ts'

export interface Tab {
  page: Page
  /** Calls of the service that were answered 200. */
  succeeded(): number
  /** Calls of the service that were answered 401. */
  refused(): number
  /** What the page wrote to the console, except the browser's own lines about refused requests. */
  problems: string[]
}

export async function openTab(
  context: BrowserContext,
  { address, origin }: { address: string; origin: string },
): Promise<Tab> {
  const page = await context.newPage()
  const problems: string[] = []
  const answered = { 200: 0, 401: 0 }
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (url.origin !== origin || !url.pathname.startsWith('/v1/')) return
    const status = response.status()
    if (status === 200 || status === 401) answered[status] += 1
  })
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(address)
  return { page, problems, succeeded: () => answered[200], refused: () => answered[401] }
}

export function isSignedIn({ page }: Tab): Promise<boolean> {
  return page.getByRole('button', { name: 'Sign out' }).isVisible()
}

/** Resolves when each tab has received two more answers 200 than now: the second was requested after now. */
export async function untilAllCalled(tabs: Tab[]): Promise<void> {
  const before = tabs.map((tab) => tab.succeeded())
  await until('every tab calls the service', () =>
    tabs.every((tab, index) => tab.succeeded() >= (before[index] ?? 0) + 2),
  )
}
