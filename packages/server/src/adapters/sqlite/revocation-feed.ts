/** `RevocationFeed` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import type { Revocation, RevocationFeed } from '../../ports/storage/revocation-feed.ts'
import { checkTtl } from '../../ports/storage/store.ts'
import type { SqliteEngine } from './engine.ts'

const pageSize = 1_000

export function createSqliteRevocationFeed({ engine, clock }: { engine: SqliteEngine; clock: Clock }): RevocationFeed {
  return {
    async announce(revocation, ttlMs) {
      checkTtl(ttlMs)
      await engine.call('revocation.announce', revocation, clock.now() + ttlMs, clock.now())
    },
    find: async (subjects) => (subjects.length === 0 ? [] : engine.call('revocation.find', subjects, clock.now())),
    async read(cursor) {
      const revocations: Revocation[] = []
      for (let afterSeq = Number(cursor); ; ) {
        const page = await engine.call('revocation.read', afterSeq, pageSize, clock.now())
        revocations.push(...page.revocations)
        afterSeq = page.seq
        if (page.revocations.length < pageSize) return { revocations, cursor: String(afterSeq) }
      }
    },
  }
}
