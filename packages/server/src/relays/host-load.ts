/**
 * How much of the courier one host may take: many devices may relay to one, and it may hang.
 * In: attempts. Out: whether one more may begin now. A host that answers at once is bounded by its parallel attempts
 * alone; of one that lets them wait, a few at a time are enough to see when it is back.
 */
import type { Clock } from '../ports/clock.ts'

export interface HostLoad {
  /** The way to end the attempt, or `undefined` when the host has enough of them. */
  begin(host: string): (() => void) | undefined
}

const maxAttempts = 128
const maxStalled = 16
const stalledAfterMs = 1_000

export function createHostLoad({ clock }: { clock: Clock }): HostLoad {
  /** Per host the attempts under way, oldest first, by when they began. */
  const hosts = new Map<string, Map<symbol, number>>()

  function isFull(attempts: Map<symbol, number>): boolean {
    if (attempts.size >= maxAttempts) return true
    if (attempts.size < maxStalled) return false
    const startedAtMs = [...attempts.values()][maxStalled - 1] ?? 0
    return clock.now() - startedAtMs >= stalledAfterMs
  }

  return {
    begin(host) {
      const attempts = hosts.get(host) ?? new Map<symbol, number>()
      if (isFull(attempts)) return undefined
      const attempt = Symbol(host)
      attempts.set(attempt, clock.now())
      hosts.set(host, attempts)
      return () => {
        attempts.delete(attempt)
        if (attempts.size === 0) hosts.delete(host)
      }
    },
  }
}
