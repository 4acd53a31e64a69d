/**
 * The life of a signing key: it is published, then signs, then stays published until everything signed with it has
 * expired.
 * In: the records and the time. Out: the signing key and the published keys, the same in every process.
 */
import type { SigningKey } from '../../ports/storage/directory.ts'

/**
 * The time from publishing a key to signing with it: the key set may be cached for 300 s, and every process must have
 * read the key, with clocks that differ by up to 60 s; rounded up.
 */
export const publishLeadMs = 10 * 60_000
/** How long a key stays published after its successor signs: the longest life of a token plus an hour. */
const keepMs = 25 * 60 * 60_000

/** The signing key among the keys of one use. If none is due yet, the first one signs. */
export function findSigningKey(keys: SigningKey[], nowMs: number): SigningKey | undefined {
  const inOrder = keys.toSorted(byGeneration)
  return inOrder.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? inOrder[0]
}

/** The keys that sign, will sign, or have signed something that may still be valid. */
export function findPublishedKeys(keys: SigningKey[], nowMs: number): SigningKey[] {
  return keys.filter((key) => !isSpent(key, keys, nowMs))
}

/** Whether everything signed with the key has expired. */
export function isSpent({ use, generation }: SigningKey, keys: SigningKey[], nowMs: number): boolean {
  return keys.some((key) => key.use === use && key.generation > generation && key.signsFromMs + keepMs <= nowMs)
}

/** The key that is published and does not sign yet. */
export function findPendingKey(keys: SigningKey[], nowMs: number): SigningKey | undefined {
  return keys.find(({ signsFromMs }) => signsFromMs > nowMs)
}

export function toNextGeneration(keys: SigningKey[]): number {
  return Math.max(0, ...keys.map(({ generation }) => generation)) + 1
}

function byGeneration(a: SigningKey, b: SigningKey): number {
  return a.generation - b.generation
}
