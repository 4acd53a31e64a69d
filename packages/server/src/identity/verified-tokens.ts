/**
 * What was found in tokens whose signature is right, so that each is checked once.
 * In: digests of tokens. Out: what was remembered. Two generations: when the younger one is full, the older one goes as a
 * whole, with what nobody asked for meanwhile. Finding what is young changes nothing (decision 32).
 */
export interface VerifiedTokens<V> {
  find(digest: string): V | undefined
  remember(digest: string, verified: V): void
  forget(digest: string): void
}

/** @param limit Half as many, at least, are remembered. */
export function createVerifiedTokens<V>(limit: number): VerifiedTokens<V> {
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  function remember(digest: string, verified: V): void {
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    young.set(digest, verified)
  }

  return {
    find(digest) {
      const found = young.get(digest)
      if (found !== undefined) return found
      const older = old.get(digest)
      if (older !== undefined) remember(digest, older)
      return older
    },
    remember,
    forget(digest) {
      young.delete(digest)
      old.delete(digest)
    },
  }
}
