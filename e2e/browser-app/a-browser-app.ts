/**
 * examples/browser-app in a real Chromium, with a real server whose time the test moves.
 * Out: tabs, the server, and counts of refreshes. The caller stops it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer, type TestServer } from '@posrep/client-sdk/testing'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumOptions } from '../chromium.ts'
import { freePort } from '../server-process.ts'
import { countRefreshes, type Refreshes } from './refresh-counter.ts'
import { serveBrowserApp } from './served-app.ts'
import { openTab, type Tab } from './tab.ts'

export interface BrowserApp {
  address: string
  server: TestServer
  context: BrowserContext
  refreshes: Refreshes
  openTab(): Promise<Tab>
  /** The service refuses the access tokens that it has issued. */
  expireTokens(): void
  stop(): Promise<void>
}

export interface BrowserAppOptions {
  /** The browser refuses storage and locks to the app's origin, as some users' settings do. Default false. */
  isStorageDisabled?: boolean
  /** The browser opens windows only after a user's gesture, as it is installed. Default false: it opens all. */
  blocksPopups?: boolean
}

const accessTokenMs = 15 * 60_000

export async function aBrowserApp({
  isStorageDisabled = false,
  blocksPopups = false,
}: BrowserAppOptions = {}): Promise<BrowserApp> {
  const port = await freePort()
  const address = `http://localhost:${port}/`
  const server = await startTestServer({ redirectUri: address })
  const app = await serveBrowserApp(port, server.options)
  const profile = await mkdtemp(join(tmpdir(), 'posrep-profile-'))
  if (isStorageDisabled) await disableStorage(profile, address)
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions(),
    ignoreDefaultArgs: blocksPopups ? ['--disable-popup-blocking'] : [],
  })

  // Shorter than a test may take, so that a failure names the step.
  context.setDefaultTimeout(15_000)

  return {
    address,
    server,
    context,
    refreshes: countRefreshes(context, server.origin),
    openTab: () => openTab(context, { address, origin: server.origin }),
    expireTokens: () => server.advance(accessTokenMs + 1_000),
    async stop() {
      await context.close()
      await app.stop()
      await server.stop()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Chromium's setting "sites that can never use cookies", which also refuses web storage, IndexedDB and locks. */
async function disableStorage(profile: string, address: string): Promise<void> {
  const cookies = { [`http://${new URL(address).host},*`]: { setting: 2 } }
  await mkdir(join(profile, 'Default'))
  const preferences = { profile: { content_settings: { exceptions: { cookies } } } }
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences))
}
