/**
 * The places where refresh families are stored: 256 per client and user or device. So a client that asks for tokens again and
 * again, instead of refreshing them, does not fill the storage (decision 70).
 * In: the holder of a new family. Out: its place, which is the one of the holder's oldest family. Each process takes 8 places at
 * a time from a counter that all share, so that most families need no further call of the store.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { TokenHolder } from '../revocation/revocation-subject.ts'

export interface FamilyPlaces {
  next(holder: TokenHolder): Promise<string>
}

/** Text of 18 characters: the hash of the holder, and a number in base 36. */
export const placePattern = '[A-Za-z0-9_-]{16}[0-9a-z]{2}'
export const placeLength = 18

const holderLength = 16
const placesPerHolder = 256
const placesPerCall = 8
/** A process that keeps places for longer could replace families which others created in the meantime. */
const keptMs = 60_000
const maxHolders = 10_000
/** Longer than an unused family lives. Without the counter, the holder begins with its first place again. */
const counterTtlMs = 91 * 24 * 60 * 60_000

export function createFamilyPlaces({ store, clock }: { store: Store; clock: Clock }): FamilyPlaces {
  const taken = new LRUCache<string, Promise<{ numbers: number[]; endsAtMs: number }>>({ max: maxHolders })

  async function take(key: string) {
    const endsAtMs = clock.now() + keptMs
    for (;;) {
      const first = await store.get<number>(key)
      const from = first ?? 0
      const next = (from + placesPerCall) % placesPerHolder
      if (await store.replace(key, first, next, counterTtlMs)) {
        return { numbers: Array.from({ length: placesPerCall }, (_, index) => from + index), endsAtMs }
      }
    }
  }

  async function nextNumber(key: string): Promise<number> {
    for (;;) {
      const taking = taken.get(key) ?? take(key)
      taken.set(key, taking)
      try {
        const { numbers, endsAtMs } = await taking
        const number = clock.now() < endsAtMs ? numbers.shift() : undefined
        if (number !== undefined) return number
      } catch (error) {
        forget(key, taking)
        throw error
      }
      forget(key, taking)
    }
  }

  /** Another request may have replaced it already. */
  function forget(key: string, taking: unknown): void {
    if (taken.get(key) === taking) taken.delete(key)
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
