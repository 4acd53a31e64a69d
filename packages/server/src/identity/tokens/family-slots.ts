/**
 * Refresh families are stored in slots: 256 per holder. So a client that asks for tokens again and again, instead of
 * refreshing them, does not fill the storage (decision 70).
 * In: the holder of a new family. Out: its slot, which is the one of the holder's oldest family. A process reserves
 * slots from a counter that all processes share: one, and twice as many each time while it uses them up within a
 * minute.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { TokenHolder } from '../revocation/revocation-subject.ts'

export interface FamilySlots {
  /** @param paired The family is from pairing: other requests of the same device do not replace it. */
  next(holder: TokenHolder, paired: boolean): Promise<string>
}

interface Reserved {
  numbers: number[]
  /** How many were reserved. */
  count: number
  endsAtMs: number
}

/** Text of 18 characters: the hash of the holder, and a number in base 36. */
export const slotPattern = '[A-Za-z0-9_-]{16}[0-9a-z]{2}'
export const slotLength = 18

const holderLength = 16
const slotsPerHolder = 256
const maxReserved = 64
/** A process that keeps slots for longer could replace families which others created in the meantime. */
const reservedMs = 60_000
const maxHolders = 10_000
/**
 * Ten years, longer than any family: without the counter, a holder's new families would replace those of its first
 * slots.
 */
const counterTtlMs = 10 * 365 * 24 * 60 * 60_000

export function createFamilySlots({ store, clock }: { store: Store; clock: Clock }): FamilySlots {
  const reservedOf = new LRUCache<string, Promise<Reserved>>({ max: maxHolders })

  async function reserve(key: string, count: number): Promise<Reserved> {
    const endsAtMs = clock.now() + reservedMs
    const toNext = (first = 0) => (first + count) % slotsPerHolder
    const first = (await changeStored(store, key, toNext, counterTtlMs)) ?? 0
    const numbers = Array.from({ length: count }, (_, index) => (first + index) % slotsPerHolder)
    return { numbers, count, endsAtMs }
  }

  async function nextNumber(key: string): Promise<number> {
    for (let count = 1; ; ) {
      const reserving = reservedOf.get(key) ?? reserve(key, count)
      reservedOf.set(key, reserving)
      try {
        const reserved = await reserving
        const isCurrent = clock.now() < reserved.endsAtMs
        const number = isCurrent ? reserved.numbers.shift() : undefined
        if (number !== undefined) return number
        count = isCurrent ? Math.min(2 * reserved.count, maxReserved) : 1
      } catch (error) {
        forget(key, reserving)
        throw error
      }
      forget(key, reserving)
    }
  }

  /** Another request may have replaced it already. */
  function forget(key: string, reserving: unknown): void {
    if (reservedOf.get(key) === reserving) reservedOf.delete(key)
  }

  return {
    async next(of, paired) {
      const holder = toHolder(of, paired)
      const number = await nextNumber(toKey(holder))
      return `${holder}${number.toString(36).padStart(2, '0')}`
    },
  }
}

/**
 * Deletes the counters of a holder that has no valid families any more and gets no new ones: a device that was removed.
 */
export async function forgetFamilySlots(store: Pick<Store, 'delete'>, of: TokenHolder): Promise<void> {
  await Promise.all([true, false].map((paired) => store.delete(toKey(toHolder(of, paired)))))
}

function toHolder({ clientId, subject }: TokenHolder, paired: boolean): string {
  const id = subject.kind === 'user' ? subject.userId : subject.deviceUrn
  return hashSecret(`${paired ? 'paired ' : ''}${clientId} ${id}`).slice(0, holderLength)
}

function toKey(holder: string): string {
  return `refresh-slots:${holder}`
}
