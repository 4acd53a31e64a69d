/** The portal in a browser: a user registers a sensor, pairs it, watches it, and relays its reports. */
import { createAgent, type PairingTokenSource, pairing } from '@posrep/sensor-agent'
import { afterAll, beforeAll, expect } from 'vitest'
import { testInChromium } from '../pages/chromium.ts'
import { expectUsable, press } from '../pages/usable.ts'
import { aRelay, type TestRelay } from '../parts/a-relay.ts'
import { runToEnd } from '../parts/server-process.ts'
import { aPortal, aPosition, type Portal } from '../portal/a-portal.ts'

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

  await page.getByRole('link', { name: 'Register', exact: true }).click()
  await page.getByLabel('Local ID').fill('mast9')
  await page.getByLabel('Name (optional)').fill('Mast <nine>')
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
  await press(page, 'Send test message')
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
