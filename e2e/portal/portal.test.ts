/** Tests of the portal in a browser: forms, search, signing out, the error summary, and the rules for every page. */
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { expectUsableInEveryLook, press } from '../pages/usable.ts'
import { aRelay, type TestRelay } from '../parts/a-relay.ts'
import { aPortal, type Portal } from './a-portal.ts'

let portal: Portal
let relay: TestRelay

beforeAll(async () => {
  portal = await aPortal('--allow-private-relays')
  relay = await aRelay({ ...portal.server.certificate, from: portal.server.ready.authOrigin })
})
afterAll(async () => {
  await relay.stop()
  await portal.stop()
})

testInChromium('the pages work as plain forms without JavaScript', async () => {
  const { page } = await portal.aPage({ javaScriptEnabled: false })
  await portal.enter(page)

  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  await page.getByRole('button', { name: 'Pair', exact: true }).first().click()
  await page.getByText('Press the pairing button on the device now').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Pair a device' }).waitFor()
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  await page.getByRole('link', { name: 'Roof' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Roof, north')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Roof, north' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
})

testInChromium('an address that does not pass the validation keeps the old one, and says why', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.goto(portal.toDevicePage('roof1'))
  await page.getByLabel('Address').fill(relay.url)
  await page.getByRole('button', { name: 'Set address' }).click()
  await page.getByText('The address returned the code').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')

  await page.getByLabel('New address').fill('https://localhost:1/relay')
  await page.getByRole('button', { name: 'Change address' }).click()
  await page.getByText('nothing listens at this host and port').first().waitFor()

  await expect.poll(() => page.url()).toBe(portal.toDevicePage('roof1'))
  expect(await page.getByLabel('New address').inputValue()).toBe('https://localhost:1/relay')
  expect(await page.locator('#relay').textContent()).toContain(relay.url)
  await page.reload()
  expect(await page.getByRole('alert').count()).toBe(0)
})

testInChromium('the search shows what it finds while the user types', async () => {
  const { page, console } = await portal.aPage()
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  await page.getByLabel('Name, ID or tag').pressSequentially('no such device')
  await page.getByText('No device of your account has this text').waitFor()
  // The list is the same for a part of the text, which is searched for where the keys come slowly.
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('no such device')
  await page.getByLabel('Name, ID or tag').fill('')
  await page.getByRole('row').filter({ hasText: 'roof1' }).waitFor()
  expect(console).toEqual([])
})

for (const [path, label, name] of [
  ['/devices', 'Name, ID or tag', 'q'],
  ['/pairing/start', 'Name, ID or tag', 'clientUniqueId'],
  ['/docs', 'Path, name or word', 'q'],
] as const) {
  testInChromium(`what is typed on ${path} before its scripts run is searched for`, async () => {
    const { page } = await portal.aPage()
    await portal.enter(page)
    const { promise: isTyped, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/forms.js', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.goto(`${portal.server.ready.uiOrigin}${path}`, { waitUntil: 'commit' })
    await page.getByLabel(label).fill('nothing has this')
    go()

    await expect.poll(() => new URL(page.url()).searchParams.get(name)).toBe('nothing has this')
    expect(await page.getByLabel(label).inputValue()).toBe('nothing has this')
  })
}

testInChromium('a list that comes late does not replace the one that was asked for after it', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.clock.install()
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  const { promise: isCleared, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/devices?q=*', async (route) => {
    await isCleared
    await route.continue()
  })
  const begins = page.waitForRequest('**/devices?q=*')
  await page.getByLabel('Name, ID or tag').fill('no such device')
  await page.clock.runFor(1_000)
  await begins
  const ends = page.waitForResponse('**/devices?q=*')
  await page.getByLabel('Name, ID or tag').fill('')
  await page.clock.runFor(1_000)
  go()
  await ends

  await page.getByRole('row').filter({ hasText: 'roof1' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${portal.server.ready.uiOrigin}/devices`)
})

for (const [where, path] of [
  ['the portal', '/devices'],
  ['the account page', '/account'],
] as const) {
  testInChromium(`Sign out of ${where} ends the session of both`, async () => {
    const { page } = await portal.aPage()
    await portal.enter(page)
    await page.goto(`${portal.server.ready.uiOrigin}${path}`)
    await press(page, 'Sign out')
    await page.getByRole('heading', { name: 'Signed out' }).waitFor()

    for (const again of ['/devices', '/account']) {
      await page.goto(`${portal.server.ready.uiOrigin}${again}`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
  })
}

testInChromium('Sign out shows its page, also if the live stream ends before the answer comes', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.route('**/portal/sign-out', async (route) => {
    const streamEnds = page.waitForEvent('requestfinished', (request) => request.resourceType() === 'eventsource')
    const response = await route.fetch({ maxRedirects: 0 })
    await streamEnds
    await route.fulfill({ response })
  })
  const streamBegins = page.waitForResponse((response) => response.request().resourceType() === 'eventsource')
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)
  await streamBegins

  await press(page, 'Sign out')

  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
})

testInChromium('the error summary gets the focus, and the storage switch works with the keyboard', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/devices/${encodeURIComponent('urn:aa:device:acme:roof1')}`)
  await page.getByLabel('Name', { exact: true }).fill('a\u0007b')
  await page.getByRole('button', { name: 'Save' }).click()
  const wrong = page.getByRole('alert')
  await expect.poll(() => wrong.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')

  // The summary has the focus before the scripts run. Without them the switch loads the page again, and loses the
  // focus.
  await page.waitForLoadState()
  const storage = page.getByRole('switch')
  const before = await storage.getAttribute('aria-checked')
  await storage.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => storage.getAttribute('aria-checked')).not.toBe(before)
  expect(await storage.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
})

testInChromium('a link in the error summary leads to the field, which keeps its value', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await registerWrongly(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Local ID')
  await expect.poll(() => field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  expect(await field.inputValue()).toBe('roof 1')
  const described = await field.evaluate(
    (element) => (element as HTMLInputElement).ariaDescribedByElements?.[0]?.textContent,
  )
  expect(described).toBe('"roof 1" must be 1 to 255 letters and digits')
})

testInChromium('every page of the portal loads less than 100 kB before it is visible', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  for (const path of [
    '/',
    '/air',
    '/devices',
    `/devices/${encodeURIComponent('urn:aa:device:acme:roof1')}`,
    '/sensors',
  ]) {
    // Requests of the previous page are not counted.
    await page.goto('about:blank')
    const sizes: Promise<number>[] = []
    const note = (response: Response) => {
      // Streams do not end, and the land and the places of the map come after the page.
      if (!/\/live$|\/air\/stream$|\/(?:land-[0-9]+m|large|small|airports)$/.test(response.url())) {
        sizes.push(response.finished().then(async () => (await response.request().sizes()).responseBodySize))
      }
    }
    page.on('response', note)
    await page.goto(`${portal.server.ready.uiOrigin}${path}`)
    page.off('response', note)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes, path).toBeLessThan(100_000)
  }
})

testInChromium('an open page shows that its live connection is lost, and since when', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  const note = page.getByText(/The connection to the server is lost/)
  expect(await note.isVisible()).toBe(false)

  await page.context().route('**/live', (route) => route.abort())
  await page.goto(`${portal.server.ready.uiOrigin}/devices`)

  await note.waitFor()
})

testInChromium(
  'the pages of the portal have no axe violation and no horizontal scrolling in every layout',
  async () => {
    const { page, console, elsewhere } = await portal.aPage()
    await portal.enter(page)
    await expectUsableInEveryLook(page)
    await page.goto(`${portal.server.ready.uiOrigin}/devices`)
    await page.getByRole('link', { name: 'Roof' }).first().click()
    await page.getByRole('heading', { name: 'Targets', exact: true }).waitFor()
    await expectUsableInEveryLook(page)
    const deliveries = `/devices/${encodeURIComponent('urn:aa:device:acme:roof1')}/deliveries?state=delivered`
    for (const path of ['/devices', '/sensors', '/pairing/start', '/devices?q=nothing', deliveries]) {
      await page.goto(`${portal.server.ready.uiOrigin}${path}`)
      await expectUsableInEveryLook(page)
    }
    expect(console).toEqual([])
    expect(elsewhere).toEqual([])
    await page.goto(`${portal.server.ready.uiOrigin}/devices/nothing`)
    await expectUsableInEveryLook(page)
    await registerWrongly(page)
    await expectUsableInEveryLook(page)
  },
)

/** Afterwards the error summary has the focus. */
async function registerWrongly(page: Page): Promise<void> {
  await page.goto(`${portal.server.ready.uiOrigin}/sensors`)
  await page.getByLabel('Local ID').fill('roof 1')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const wrong = page.getByRole('alert')
  await expect.poll(() => wrong.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
}
