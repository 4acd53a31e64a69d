/**
 * The newest refresh families of a client's user or device, so that one that asks for tokens again and again, instead of refreshing
 * them, does not fill the storage.
 * In: each family that is created. Out: the one that is too old now. What other processes created, or this one before its start, is
 * not known: it ends by its own time.
 */
import { LRUCache } from 'lru-cache'
import type { FamilyGrant } from './refresh-family.ts'

export interface NewestFamilies {
  /** Returns the id of the oldest family beyond the limit. */
  add(familyId: string, grant: Pick<FamilyGrant, 'clientId' | 'subject'>): string | undefined
}

/** More than the machines of one user, or the processes beside one sensor. */
const maxFamilies = 50
const maxSubjects = 100_000

export function createNewestFamilies(): NewestFamilies {
  const idsOf = new LRUCache<string, string[]>({ max: maxSubjects })

  return {
    add(familyId, { clientId, subject }) {
      const key = `${clientId} ${subject.kind === 'user' ? subject.userId : subject.deviceUrn}`
      const ids = [...(idsOf.get(key) ?? []), familyId]
      const oldest = ids.length > maxFamilies ? ids.shift() : undefined
      idsOf.set(key, ids)
      return oldest
    },
  }
}
