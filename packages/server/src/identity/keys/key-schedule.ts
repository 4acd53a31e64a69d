/**
 * When which signing key is in use: published first, then signing, then kept until nothing that it signed is valid.
 * In: the records and the time. Out: the key that signs and those that are published, the same in every process.
 */
import type { SigningKey } from '../../ports/directory.ts'

/**
 * From publishing a key to signing with it: caches of the key set (300 s), until every process has read it and what
 * their clocks may differ by (60 s), rounded up.
 */
export const publishLeadMs = 10 * 60_000
/** How long a key is published after its successor took over: the longest life of a token, and an hour. */
const keepMs = 25 * 60 * 60_000

/** The key that signs, of the keys of one use. The first one signs before any is due. */
export function findSigningKey(keys: SigningKey[], nowMs: number): SigningKey | undefined {
  const inOrder = keys.toSorted(byGeneration)
  return inOrder.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? inOrder[0]
}

/** Those that sign, will sign, or have signed what may still be valid. */
export function findPublishedKeys(keys: SigningKey[], nowMs: number): SigningKey[] {
  return keys.filter((key) => !isSpent(key, keys, nowMs))
}

/** Nothing that it signed is valid any more. */
export function isSpent({ use, generation }: SigningKey, keys: SigningKey[], nowMs: number): boolean {
  return keys.some((key) => key.use === use && key.generation > generation && key.signsFromMs + keepMs <= nowMs)
}

/** Published, and not signing yet. */
export function findPendingKey(keys: SigningKey[], nowMs: number): SigningKey | undefined {
  return keys.find(({ signsFromMs }) => signsFromMs > nowMs)
}

export function toNextGeneration(keys: SigningKey[]): number {
  return Math.max(0, ...keys.map(({ generation }) => generation)) + 1
}

function byGeneration(a: SigningKey, b: SigningKey): number {
  return a.generation - b.generation
}
