/** `RevocationFeed` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import type { RevocationFeed, RevocationMark } from '../../ports/revocation-feed.ts'
import { checkTtl } from '../../ports/store.ts'
import type { SqliteEngine } from './engine.ts'

const pageMarks = 1_000

export function createSqliteRevocationFeed({ engine, clock }: { engine: SqliteEngine; clock: Clock }): RevocationFeed {
  return {
    async announce(mark, ttlMs) {
      checkTtl(ttlMs)
      await engine.call('revocation.announce', mark, clock.now() + ttlMs, clock.now())
    },
    find: async (subjects) => (subjects.length === 0 ? [] : engine.call('revocation.find', subjects, clock.now())),
    async read(cursor) {
      const marks: RevocationMark[] = []
      for (let behindSeq = Number(cursor); ; ) {
        const page = await engine.call('revocation.read', behindSeq, pageMarks, clock.now())
        marks.push(...page.marks)
        behindSeq = page.seq
        if (page.marks.length < pageMarks) return { marks, cursor: String(behindSeq) }
      }
    },
  }
}
