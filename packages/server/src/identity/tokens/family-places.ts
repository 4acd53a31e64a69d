/**
 * The places where refresh families are stored: 256 per client and user or device. So a client that asks for tokens again and
 * again, instead of refreshing them, does not fill the storage (decision 70).
 * In: the holder of a new family. Out: its place, which is the one of the holder's oldest family. A process takes places from a
 * counter that all share: one, and twice as many each time while it uses them up within a minute.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { TokenHolder } from '../revocation/revocation-subject.ts'

interface Taken {
  numbers: number[]
  /** How many were taken. */
  count: number
  endsAtMs: number
}

export interface FamilyPlaces {
  next(holder: TokenHolder): Promise<string>
}

/** Text of 18 characters: the hash of the holder, and a number in base 36. */
export const placePattern = '[A-Za-z0-9_-]{16}[0-9a-z]{2}'
export const placeLength = 18

const holderLength = 16
const placesPerHolder = 256
const maxPlacesTaken = 64
/** A process that keeps places for longer could replace families which others created in the meantime. */
const keptMs = 60_000
const maxHolders = 10_000
/** Longer than an unused family lives. Without the counter, the holder begins with its first place again. */
const counterTtlMs = 91 * 24 * 60 * 60_000

export function createFamilyPlaces({ store, clock }: { store: Store; clock: Clock }): FamilyPlaces {
  const takenOf = new LRUCache<string, Promise<Taken>>({ max: maxHolders })

  async function take(key: string, count: number): Promise<Taken> {
    const endsAtMs = clock.now() + keptMs
    for (;;) {
      const stored = await store.get<number>(key)
      const first = stored ?? 0
      if (await store.replace(key, stored, (first + count) % placesPerHolder, counterTtlMs)) {
        return {
          numbers: Array.from({ length: count }, (_, index) => (first + index) % placesPerHolder),
          count,
          endsAtMs,
        }
      }
    }
  }

  async function nextNumber(key: string): Promise<number> {
    for (let count = 1; ; ) {
      const taking = takenOf.get(key) ?? take(key, count)
      takenOf.set(key, taking)
      try {
        const taken = await taking
        const isCurrent = clock.now() < taken.endsAtMs
        const number = isCurrent ? taken.numbers.shift() : undefined
        if (number !== undefined) return number
        count = isCurrent ? Math.min(2 * taken.count, maxPlacesTaken) : 1
      } catch (error) {
        forget(key, taking)
        throw error
      }
      forget(key, taking)
    }
  }

  /** Another request may have replaced it already. */
  function forget(key: string, taking: unknown): void {
    if (takenOf.get(key) === taking) takenOf.delete(key)
  }

  return {
    async next({ clientId, subject }) {
      const id = subject.kind === 'user' ? subject.userId : subject.deviceUrn
      const holder = hashSecret(`${clientId} ${id}`).slice(0, holderLength)
      const number = await nextNumber(`refresh-places:${holder}`)
      return `${holder}${number.toString(36).padStart(2, '0')}`
    },
  }
}
