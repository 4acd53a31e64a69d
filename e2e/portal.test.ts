/** Tests of the portal in a browser: register, pair, watch, relay and resend; and the rules for every page. */
import { createAgent, type PairingTokenSource, pairing } from '@posrep/sensor-agent'
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { aRelay, type TestRelay } from './a-relay.ts'
import { testInChromium } from './chromium.ts'
import { aPortal, aPosition, type Portal, patiently } from './portal/a-portal.ts'
import { runToEnd } from './server-process.ts'
import { expectUsable, expectUsableInEveryLook, inEveryLookMs, press } from './usable.ts'

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

testInChromium('a user registers a sensor, pairs it, watches it, and relays its reports', async () => {
  const { page, elsewhere, console } = await portal.aPage()
  await portal.enter(page)

  await page.getByRole('link', { name: 'Register' }).click()
  await page.getByLabel('Local ID').fill('mast9')
  await page.getByLabel('Name (optional)').fill('Mast <nine>')
  await page.getByLabel('Client, if your account has several').fill('fleet')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Requested', { exact: true }).last().waitFor()
  await expectUsable(page)
  await approve('mast9')

  const tokens = pairing({ ingestOrigin: new URL(portal.server.ready.ingestOrigin), localId: 'mast9' })
  const agent = anAgent(tokens)
  const reporting = agent.report(aPosition(1))
  await page.goto(`${portal.server.ready.uiOrigin}/pairing/start?clientUniqueId=mast9`)
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await page.getByText('Paired', { exact: true }).waitFor()
  await expectUsable(page)
  await reporting
  await page.getByText('Report received').waitFor()

  await page.getByRole('link', { name: 'Open the device' }).click()
  await page.getByRole('cell', { name: /60.30001, 24.90000/ }).waitFor()
  await agent.report(aPosition(2))
  await page.getByRole('cell', { name: /60.30002, 24.90000/ }).waitFor()

  await page.getByLabel('Address').fill(relay.url)
  await page.getByRole('button', { name: 'Set address' }).click()
  await page.getByText('The address returned the code').waitFor()
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('The relay accepted the test message').waitFor()
  await agent.report(aPosition(3))
  await page.getByRole('cell', { name: 'Delivered' }).first().waitFor()
  await expectUsable(page)

  const repair = relay.breakWith(410)
  await agent.report(aPosition(4))
  await page.getByText(/Fix the receiver, then press Activate/).waitFor()
  expect(await page.locator('#relay').textContent()).toMatch(/410/)
  await expectUsable(page)
  repair()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('the relay is Active').waitFor()
  await expect.poll(() => relay.received.map(({ report }) => report.positions[0]?.id)).toContain('p4')

  const before = relay.received.filter(({ report }) => report.positions[0]?.id === 'p4')
  const row = page.getByRole('row').filter({ hasText: 'Delivered' }).first()
  await row.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('The message is queued for the relay again').waitFor()
  const messageIds = () => relay.received.map(({ delivery }) => delivery.id)
  await expect.poll(() => messageIds().length > new Set(messageIds()).size).toBe(true)

  expect(before).toHaveLength(1)
  expect(elsewhere).toEqual([])
  expect(console).toEqual([])
  await agent.close()
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
  await page.getByRole('button', { name: 'Rename' }).click()
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
  await expect.poll(() => new URL(page.url()).search, patiently).toBe('')

  await page.getByLabel('New address').fill('https://localhost:1/relay')
  await page.getByRole('button', { name: 'Change address' }).click()
  await page.getByText('nothing listens at this host and port').first().waitFor()

  await expect.poll(() => page.url(), patiently).toBe(portal.toDevicePage('roof1'))
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
  expect(new URL(page.url()).searchParams.get('q')).toBe('no such device')
  await page.getByLabel('Name, ID or tag').fill('')
  await page.getByRole('row').filter({ hasText: 'roof1' }).waitFor()
  expect(console).toEqual([])
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

/** Its tags are h3 without an h2, each line of an operation is a button that holds another, and it has a `main` of its own. */
const ofSwaggerUi = [
  'heading-order',
  'nested-interactive',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
]

testInChromium(
  'the API reference is shown without a request to another origin and without a console line',
  { timeout: inEveryLookMs },
  async () => {
    const { page, console, elsewhere } = await portal.aPage()
    await page.goto(`${portal.server.ready.uiOrigin}/docs`)
    await page.getByText('/v1/position-reports').first().waitFor()
    expect(await page.getByRole('option').first().textContent()).toBe(
      `${portal.server.ready.authOrigin} - Identity provider`,
    )
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['API reference'])
    expect(await page.getByRole('heading', { name: /^Posrep/ }).count()).toBe(0)
    await expectUsableInEveryLook(page, { except: ofSwaggerUi })
    expect([console, elsewhere]).toEqual([[], []])
  },
)

testInChromium('the error summary gets the focus, and the storage switch works with the keyboard', async () => {
  const { page } = await portal.aPage()
  await portal.enter(page)
  await page.goto(`${portal.server.ready.uiOrigin}/devices/${encodeURIComponent('urn:aa:device:acme:roof1')}`)
  await page.getByLabel('Name', { exact: true }).fill('a\u0007b')
  await page.getByRole('button', { name: 'Rename' }).click()
  const wrong = page.getByRole('alert')
  await expect
    .poll(() => wrong.evaluate((element) => element === element.ownerDocument.activeElement), patiently)
    .toBe(true)
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')

  // The summary has the focus before the scripts run. Without them the switch loads the page again, and loses the focus.
  await page.waitForLoadState()
  const storage = page.getByRole('switch')
  const before = await storage.getAttribute('aria-checked')
  await storage.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => storage.getAttribute('aria-checked'), patiently).not.toBe(before)
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
      // Streams do not end, and the land of the map comes after the page.
      if (!/\/live$|\/air\/stream$|\/land-[0-9]+m$/.test(response.url())) {
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
  { timeout: inEveryLookMs },
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
  await page.getByLabel('Client, if your account has several').fill('nobody')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const wrong = page.getByRole('alert')
  await expect
    .poll(() => wrong.evaluate((element) => element === element.ownerDocument.activeElement), patiently)
    .toBe(true)
}

/** Approves the request as the operator, on the running server. */
async function approve(localId: string): Promise<void> {
  const storage = ['--data-dir', `${portal.location.folder}/data`, '--json']
  const { stdout } = await runToEnd(['sensors', 'requests', ...storage])
  const requests: { id: string; localId: string }[] = JSON.parse(stdout)
  const id = requests.find((request) => request.localId === localId)?.id ?? ''
  const { code, stderr } = await runToEnd(['sensors', 'approve', id, ...storage])
  if (code !== 0) throw new Error(stderr)
}

function anAgent(tokens: PairingTokenSource) {
  return createAgent({
    ingestOrigin: new URL(portal.server.ready.ingestOrigin),
    sensor: 'mast9',
    tokens,
    maxDelayMs: 50,
  })
}
