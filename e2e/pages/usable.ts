/** Checks for every page: no axe violation, no horizontal scrolling, no request to another origin. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { hangsAfterMs } from '../../testing/real-time.ts'
import { pilot, redirectUri } from '../parts/seed.ts'

export interface Visit {
  page: Page
  /** Requests to other origins than the server's. */
  elsewhere: string[]
  /** What the page wrote to the console. */
  console: string[]
}

interface Look {
  name: string
  colorScheme?: 'dark'
  forcedColors?: 'active'
  width?: number
  /** The axe rules whose result can differ from the first layout. Default: all. */
  rules?: string[]
}

const ofColors = ['color-contrast', 'link-in-text-block']
const ofSpace = [...ofColors, 'scrollable-region-focusable']

/** The layouts in which each page is checked. */
const looks: Look[] = [
  { name: 'light' },
  { name: 'dark', colorScheme: 'dark', rules: ofColors },
  { name: '320 px wide', width: 320 },
  { name: '768 px wide', width: 768, rules: ofSpace },
  { name: '1,440 px wide', width: 1_440, rules: ofSpace },
  { name: 'in forced colors', forcedColors: 'active', rules: ofColors },
]

interface Exceptions {
  /** The axe rules that are not checked. Default: none. */
  except?: string[] | undefined
}

/** A page in a new browser profile. */
export async function aVisit(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visit> {
  // For the requests of routes, which are not the browser's.
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true })
  context.setDefaultTimeout(hangsAfterMs)
  // Open pages hold live streams, of which a user has a limited number.
  onTestFinished(() => context.close())
  const elsewhere: string[] = []
  const lines: string[] = []
  // There is no app: its callback is answered here.
  await context.route(`${redirectUri}*`, (route) => route.fulfill({ contentType: 'text/plain', body: 'the app' }))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !url.href.startsWith(redirectUri)) elsewhere.push(url.href)
  })
  context.on('console', (message) => lines.push(message.text()))
  return { page: await context.newPage(), elsewhere, console: lines }
}

/** Checks the page in its current state, with open elements and focus. */
export async function expectUsableInEveryLook(page: Page, { except }: Exceptions = {}): Promise<void> {
  for (const { name, width = 1_280, colorScheme = 'light', forcedColors = 'none', rules } of looks) {
    await page.emulateMedia({ colorScheme, forcedColors })
    await page.setViewportSize({ width, height: 720 })
    await expectUsable(page, name, { rules, except })
  }
}

export async function expectUsable(
  page: Page,
  look = 'as it is',
  { rules, except = [] }: Exceptions & { rules?: string[] | undefined } = {},
): Promise<void> {
  // Waits for the styles, also after a click.
  await page.waitForLoadState()
  // Legacy mode: the pages have no frames, so no second page is needed to merge their results.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe.disableRules(except)).analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    look,
  ).toEqual([])
  const [content, view] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content, look).toBeLessThanOrEqual(view ?? 0)
  // A row that is shown as a card must not clip its content.
  const cutOff = await page.evaluate(() =>
    [...document.querySelectorAll('.stacks')]
      .filter(({ clientWidth, scrollWidth }) => clientWidth < 720 && scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  )
  expect(cutOff, look).toEqual([])
}

/** Presses a button of a page that was just loaded. Chromium ignores clicks on a page that it has not shown yet. */
export async function press(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await page.getByRole('button', { name }).click()
}

/** Fills in the sign-in form of the current page. */
export async function signIn(page: Page, { email, password } = pilot): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
