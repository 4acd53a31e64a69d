/** `RevocationFeed` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import { type RevocationFeed, revocationPageSize } from '../../ports/storage/revocation-feed.ts'
import { checkTtl } from '../../ports/storage/store.ts'
import type { SqliteEngine } from './engine.ts'

export function createSqliteRevocationFeed({ engine, clock }: { engine: SqliteEngine; clock: Clock }): RevocationFeed {
  return {
    async announce(revocation, ttlMs) {
      checkTtl(ttlMs)
      await engine.call('revocation.announce', revocation, clock.now() + ttlMs, clock.now())
    },
    find: async (subjects) => (subjects.length === 0 ? [] : engine.call('revocation.find', subjects, clock.now())),
    async read(cursor) {
      const page = await engine.call('revocation.read', Number(cursor), revocationPageSize, clock.now())
      const { revocations } = page
      return { revocations, cursor: String(page.seq), hasMore: revocations.length === revocationPageSize }
    },
  }
}
