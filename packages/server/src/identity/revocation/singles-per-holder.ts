/**
 * Counts the families and tokens of one holder that are revoked one by one, so that they do not fill the feed and the memory
 * (decision 71). In: the subject of each holder. Out: whether one more may be revoked alone.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import { keptInMemoryMs, type RevocationSubject } from './revocation-subject.ts'

export interface SinglesPerHolder {
  /** False when the holder has had 256 of them within 25 hours. */
  count(holder: RevocationSubject): boolean
}

const maxSingles = 256
const maxHolders = 10_000

export function createSinglesPerHolder({ clock }: { clock: Clock }): SinglesPerHolder {
  const windows = new LRUCache<RevocationSubject, { count: number; endsAtMs: number }>({ max: maxHolders })

  return {
    count(holder) {
      const earlier = windows.get(holder)
      const isCurrent = earlier !== undefined && clock.now() < earlier.endsAtMs
      const window = isCurrent ? earlier : { count: 0, endsAtMs: clock.now() + keptInMemoryMs }
      windows.set(holder, window)
      return ++window.count <= maxSingles
    },
  }
}
