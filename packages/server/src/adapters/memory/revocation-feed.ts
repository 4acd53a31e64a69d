/** `RevocationFeed` in the process's memory: for `--memory` and for tests. */
import type { Clock } from '../../ports/clock.ts'
import type { Revocation, RevocationFeed } from '../../ports/storage/revocation-feed.ts'
import { checkTtl } from '../../ports/storage/store.ts'

interface Announced {
  revocation: Revocation
  seq: number
  expiresAtMs: number
}

const leastToSweep = 1024

export function createMemoryRevocationFeed({ clock }: { clock: Clock }): RevocationFeed {
  // In the order of announcement: a subject that is announced again moves to the end.
  const bySubject = new Map<string, Announced>()
  let lastSeq = 0
  let sweepAtSize = leastToSweep

  function isLive({ expiresAtMs }: Announced): boolean {
    return expiresAtMs > clock.now()
  }

  function sweep(): void {
    for (const [subject, announced] of bySubject) if (!isLive(announced)) bySubject.delete(subject)
    sweepAtSize = Math.max(leastToSweep, 2 * bySubject.size)
  }

  return {
    async announce({ subject, atMs }, ttlMs) {
      checkTtl(ttlMs)
      const found = bySubject.get(subject)
      const before = found && isLive(found) ? found : undefined
      bySubject.delete(subject)
      bySubject.set(subject, {
        revocation: { subject, atMs: Math.max(atMs, before?.revocation.atMs ?? atMs) },
        seq: ++lastSeq,
        expiresAtMs: Math.max(clock.now() + ttlMs, before?.expiresAtMs ?? 0),
      })
      if (bySubject.size >= sweepAtSize) sweep()
    },
    async find(subjects) {
      return subjects.flatMap((subject) => {
        const announced = bySubject.get(subject)
        return announced && isLive(announced) ? [{ ...announced.revocation }] : []
      })
    },
    async read(cursor) {
      const later = [...bySubject.values()].filter(({ seq }) => seq > Number(cursor))
      return {
        revocations: later.filter(isLive).map(({ revocation }) => ({ ...revocation })),
        cursor: String(lastSeq),
        // They are in memory already: pages would save nothing.
        hasMore: false,
      }
    },
  }
}
