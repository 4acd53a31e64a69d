/**
 * A real Chromium with a new profile, for an app.
 * Out: tabs, and counts of the refreshes that leave the browser. The caller closes it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { hangsAfterMs } from '../../testing/real-time.ts'
import { chromiumOptions } from '../pages/chromium.ts'
import { countRefreshes, type Refreshes } from './refresh-counter.ts'
import type { ServedApp } from './served-app.ts'
import { openTab, type Tab } from './tab.ts'

export interface Browser {
  app: ServedApp
  context: BrowserContext
  refreshes: Refreshes
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export interface BrowserOptions {
  /** The browser refuses storage and locks to the app's origin, as some users' settings do. Default false. */
  isStorageDisabled?: boolean
  /** The browser opens windows only after a user's gesture, as it is installed. Default false: it opens all. */
  blocksPopups?: boolean
}

export async function aBrowser(
  app: ServedApp,
  { isStorageDisabled = false, blocksPopups = false }: BrowserOptions = {},
): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'posrep-profile-'))
  if (isStorageDisabled) await disableStorage(profile, app.address)
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions(),
    ignoreDefaultArgs: blocksPopups ? ['--disable-popup-blocking'] : [],
  })
  context.setDefaultTimeout(hangsAfterMs)
  const { origin } = app.server

  return {
    app,
    context,
    refreshes: countRefreshes(context, origin),
    openTab: () => openTab(context, { address: app.address, origin }),
    async close() {
      await context.close()
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
