/**
 * A real server in this process with a scripted air picture, and a browser that is signed in to its portal.
 * In: a picture. Out: the server's origin, and pages.
 */
import { createSystemClock, resolveSettings, startServer } from '@posrep/server'
import type { Page } from 'playwright-core'
import { signIn } from '../pages/usable.ts'
import { pilot, seed } from '../parts/seed.ts'
import type { MovingPicture } from './moving-picture.ts'

export interface AirPortal {
  origin: string
  stop(): Promise<void>
}

export async function anAirPortal(
  { air }: Pick<MovingPicture, 'air'>,
  flags: Record<string, string> = {},
): Promise<AirPortal> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const server = await startServer({
    settings: resolveSettings({ flags: { memory: true, port: '0', ...flags }, environment: {} }),
    clock: createSystemClock(),
    logger: quiet,
    version: 'test',
    seeds: [
      { ...seed, clients: seed.clients.map((client) => ({ redirectUris: [], partner: false, ...client })) } as never,
    ],
    air,
  })
  return { origin: server.origins.ui, stop: () => server.stop() }
}

/** Opens a page of the portal, and signs in if it asks. */
export async function enterPortal(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await signIn(page, pilot)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(address)
}
