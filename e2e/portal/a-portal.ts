/**
 * A server with a portal, a browser, and agents that report to it.
 * In: flags of the server. Out: pages that are signed in, agents, addresses.
 */
import { clientCredentials, createAgent } from '@posrep/sensor-agent'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { currentTimeMs } from '../../testing/real-time.ts'
import { launchChromium } from '../pages/chromium.ts'
import { aVisit, signIn } from '../pages/usable.ts'
import { fleet, pilot, seed } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

export async function aPortal(...flags: string[]) {
  const location = await aServerLocation(seed)
  const server = await startServer(location, '--seed', `${location.folder}/seed.json`, ...flags)
  trust(server.certificate.ca)
  const { authOrigin, ingestOrigin, uiOrigin } = server.ready
  let browser: Browser | undefined

  async function aPage(options: BrowserContextOptions = {}) {
    browser ??= await launchChromium()
    return aVisit(browser, uiOrigin, options)
  }

  /** Signs in and approves the portal; then the page shows the overview. */
  async function enter(page: Page): Promise<void> {
    await page.goto(`${uiOrigin}/`)
    await signIn(page, pilot)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  }

  function aReportingAgent(sensor: string) {
    const { id: clientId, secret: clientSecret } = fleet
    const tokens = clientCredentials({ authOrigin: new URL(authOrigin), clientId, clientSecret, localId: sensor })
    return createAgent({ ingestOrigin: new URL(ingestOrigin), sensor, tokens, maxDelayMs: 50 })
  }

  return {
    server,
    location,
    aPage,
    enter,
    aReportingAgent,
    toDevicePage: (localId: string) => `${uiOrigin}/devices/${encodeURIComponent(`urn:aa:device:acme:${localId}`)}`,
    async stop() {
      await browser?.close()
      await server.stop()
      await location.remove()
    },
  }
}

export type Portal = Awaited<ReturnType<typeof aPortal>>

export function aPosition(n: number, icao = '461F9C') {
  return {
    id: `p${n}`,
    sourceTimeStamp: new Date(currentTimeMs()).toISOString(),
    target: { ids: [{ id: icao, type: 'ICAO' }] },
    position: { lat: 60.3 + n / 100_000, lon: 24.9 },
    altitudes: [{ height: 900, datum: 'bar' as const }],
    groundVelocity: { x: 1, y: 2, z: 0 },
  }
}
