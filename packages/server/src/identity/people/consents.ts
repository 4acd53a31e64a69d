/** What a user has approved: which client, with which scopes, when, and when it was last used; and its withdrawal. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import type { Account, Client, Consent, Directory } from '../../ports/directory.ts'

/** Ends the refresh families and access tokens that a consent has given. */
export type EndConsentTokens = (consent: Pick<Consent, 'userId' | 'clientId'>) => Promise<void>

export interface ApprovedClient {
  consent: Consent
  /** Undefined when the client was removed. */
  client: Client | undefined
  owner: Account | undefined
}

export interface ApprovedPage {
  approved: ApprovedClient[]
  /** From 1; the last one where there are not as many as were asked for. */
  page: number
  pages: number
  /** On all pages together. */
  total: number
}

export interface Consents {
  /** A later approval adds its scopes: what was given before lives on. */
  write(userId: string, approved: Pick<Consent, 'clientId' | 'scopes'>): Promise<void>
  find(userId: string, clientId: string): Promise<ApprovedClient | undefined>
  /** One page of them, last used first. */
  list(userId: string, page: number): Promise<ApprovedPage>
  /** False when there was none. */
  withdraw(userId: string, clientId: string): Promise<boolean>
  /** Writes at most once a minute and does not wait for the write: no request is slower, or fails, because of it. */
  noteUse(userId: string, clientId: string): void
}

export interface ConsentsOptions {
  directory: Directory
  clock: Clock
  endTokens: EndConsentTokens
}

/** Applications. */
const perPage = 25
const noteEveryMs = 60_000
const maxNoted = 10_000

export function createConsents({ directory, clock, endTokens }: ConsentsOptions): Consents {
  const notedAtMs = new LRUCache<string, number>({ max: maxNoted })

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

    async list(userId, asked) {
      const consents = await directory.list('consent', { where: { index: 'userId', equals: userId } })
      consents.sort((a, b) => toLastTime(b) - toLastTime(a))
      const pages = Math.max(1, Math.ceil(consents.length / perPage))
      const page = Math.min(asked, pages)
      const shown = consents.slice((page - 1) * perPage, page * perPage)
      return { approved: await Promise.all(shown.map(toApprovedClient)), page, pages, total: consents.length }
    },

    async withdraw(userId, clientId) {
      // Before, so that a withdrawal that fails half-way can be repeated; after, for tokens that a code was exchanged for meanwhile.
      await endTokens({ userId, clientId })
      const wasThere = await directory.remove('consent', toId(userId, clientId))
      await endTokens({ userId, clientId })
      return wasThere
    },

    noteUse(userId, clientId) {
      const id = toId(userId, clientId)
      const now = clock.now()
      if (now - (notedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return
      notedAtMs.set(id, now)
      directory
        .update('consent', id, (consent) => ({ ...consent, lastUsedAtMs: Math.max(consent.lastUsedAtMs ?? 0, now) }))
        // The next use writes it again.
        .catch(() => notedAtMs.delete(id))
    },
  }
}

function toId(userId: string, clientId: string): string {
  return `${userId}:${clientId}`
}

function toLastTime({ lastUsedAtMs, grantedAtMs }: Consent): number {
  return Math.max(lastUsedAtMs ?? 0, grantedAtMs)
}
