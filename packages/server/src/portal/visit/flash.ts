/**
 * What a form leaves for the page that is shown next: a sentence about what became true, or the refused text and the
 * reason.
 * In: the session, and the path of the page. Out: the flash, once. A session has one flash, the last, so that forms
 * that are submitted again and again do not fill the storage. The page's address says by `?notice` that there is one,
 * so that other pages need not look; the script removes that.
 */
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { KeptFields } from './kept-fields.ts'
import type { PortalSession } from './session.ts'

export interface Flash {
  notice?: { text: string; isFailure?: boolean }
  /** The purpose of the form, what was typed, why it was refused, and which member of the body is not valid. */
  refused?: { purpose: string; fields: KeptFields; reason: string; pointer?: string | undefined }
}

export interface Flashes {
  /** Returns the address that shows the page with the flash. @param path The page, which may have a query. */
  keep(session: PortalSession, path: string, flash: Flash): Promise<string>
  /** @param pathname The page without its query. */
  take(session: PortalSession, pathname: string): Promise<Flash | undefined>
}

interface StoredFlash extends Flash {
  pathname: string
}

const ttlMs = 5 * 60_000

export function createFlashes({ store }: { store: Store }): Flashes {
  return {
    async keep(session, path, flash) {
      const [pathname = '', query = ''] = path.split('?')
      await store.put<StoredFlash>(toKey(session), { ...flash, pathname }, ttlMs)
      return `${pathname}?${query === '' ? '' : `${query}&`}notice`
    },
    async take(session, pathname) {
      const key = toKey(session)
      const kept = await store.get<StoredFlash>(key)
      if (kept?.pathname !== pathname) return undefined
      await store.delete(key)
      return kept
    },
  }
}

function toKey({ secret }: PortalSession): string {
  return `portal-flash:${hashSecret(secret)}`
}
