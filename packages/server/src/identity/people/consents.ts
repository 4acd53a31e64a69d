/** A user's consents: the client, the scopes, the times of approval and last use; and their withdrawal. */
import { LRUCache } from 'lru-cache'
import { type Page, paginate } from '../../pages/page-links.tsx'
import type { Clock } from '../../ports/clock.ts'
import type { Account, Client, Consent, Directory } from '../../ports/storage/directory.ts'

/** Ends the refresh families and access tokens that were issued under a consent. */
export type EndConsentTokens = (consent: Pick<Consent, 'userId' | 'clientId'>) => Promise<void>

export interface ApprovedClient {
  consent: Consent
  /** Undefined when the client was removed. */
  client: Client | undefined
  owner: Account | undefined
}

export interface ApprovedPage extends Page<ApprovedClient> {
  /** The number of consents on all pages. */
  total: number
}

export interface Consents {
  /** A later approval adds its scopes to the earlier ones. */
  write(userId: string, approved: Pick<Consent, 'clientId' | 'scopes'>): Promise<void>
  find(userId: string, clientId: string): Promise<ApprovedClient | undefined>
  /** One page of consents, last used first. @param requested See `paginate`. */
  list(userId: string, requested: string | null): Promise<ApprovedPage>
  /** False if there was no consent. */
  withdraw(userId: string, clientId: string): Promise<boolean>
  /**
   * Stores the time of use, at most once a minute. It does not wait for the write, so no request is slower or fails.
   */
  recordUse(userId: string, clientId: string): void
}

export interface ConsentsOptions {
  directory: Directory
  clock: Clock
  endTokens: EndConsentTokens
}

const consentsPerPage = 25
const recordEveryMs = 60_000
const maxRecorded = 10_000

export function createConsents({ directory, clock, endTokens }: ConsentsOptions): Consents {
  const recordedAtMs = new LRUCache<string, number>({ max: maxRecorded })

  async function toApprovedClient(consent: Consent): Promise<ApprovedClient> {
    const client = await directory.find('client', consent.clientId)
    return { consent, client, owner: client && (await directory.find('account', client.accountId)) }
  }

  return {
    async write(userId, { clientId, scopes }) {
      const id = toId(userId, clientId)
      const grantedAtMs = clock.now()
      if (await directory.insert('consent', { id, userId, clientId, scopes, grantedAtMs, lastUsedAtMs: null })) return
      await directory.update('consent', id, (current) => ({
        ...current,
        scopes: [...new Set([...current.scopes, ...scopes])],
        grantedAtMs,
      }))
    },

    async find(userId, clientId) {
      const consent = await directory.find('consent', toId(userId, clientId))
      return consent && toApprovedClient(consent)
    },

    async list(userId, requested) {
      const consents = await directory.list('consent', { where: { index: 'userId', equals: userId } })
      consents.sort((a, b) => toLastTime(b) - toLastTime(a))
      const { items, ...page } = paginate(consents, requested, consentsPerPage)
      return { ...page, items: await Promise.all(items.map(toApprovedClient)), total: consents.length }
    },

    async withdraw(userId, clientId) {
      // Before the removal, so that a failed withdrawal can be repeated; after it, for tokens issued for a code
      // meanwhile.
      await endTokens({ userId, clientId })
      const wasThere = await directory.remove('consent', toId(userId, clientId))
      await endTokens({ userId, clientId })
      return wasThere
    },

    recordUse(userId, clientId) {
      const id = toId(userId, clientId)
      const now = clock.now()
      if (now - (recordedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < recordEveryMs) return
      recordedAtMs.set(id, now)
      directory
        .update('consent', id, (consent) => ({ ...consent, lastUsedAtMs: Math.max(consent.lastUsedAtMs ?? 0, now) }))
        // The next use writes again.
        .catch(() => recordedAtMs.delete(id))
    },
  }
}

function toId(userId: string, clientId: string): string {
  return `${userId}:${clientId}`
}

function toLastTime({ lastUsedAtMs, grantedAtMs }: Consent): number {
  return Math.max(lastUsedAtMs ?? 0, grantedAtMs)
}
