/**
 * What a form leaves for the page that is shown next: a sentence about what became true, or the refused text and the reason.
 * In: the session, and the path of the page. Out: the flash, once. The page's address says by `?notice` that there is one, so
 * that other pages need not look; the script removes that.
 */
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { PortalSession } from './session.ts'

export interface Flash {
  notice?: { text: string; isFailure?: boolean }
  /** The purpose of the form, what was typed, and why it was refused. */
  refused?: { purpose: string; fields: Record<string, string>; reason: string }
}

export interface Flashes {
  /** Returns the address that shows the page with the flash. @param path The page, which may have a query. */
  keep(session: PortalSession, path: string, flash: Flash): Promise<string>
  /** @param pathname The page without its query. */
  take(session: PortalSession, pathname: string): Promise<Flash | undefined>
}

const ttlMs = 5 * 60_000

export function createFlashes({ store }: { store: Store }): Flashes {
  return {
    async keep(session, path, flash) {
      const [pathname = '', query = ''] = path.split('?')
      await store.put(toKey(session, pathname), flash, ttlMs)
      return `${pathname}?${query === '' ? '' : `${query}&`}notice`
    },
    take: (session, pathname) => store.take<Flash>(toKey(session, pathname)),
  }
}

function toKey({ secret }: PortalSession, pathname: string): string {
  return `portal-flash:${hashSecret(`${secret} ${pathname}`)}`
}
