/**
 * What verification has to refuse though its signature is right: revoked families and single tokens, until the last
 * access token of theirs has expired. Read on every request, so it is memory; other processes do not hear of it yet.
 */
import type { Clock } from '../ports/clock.ts'

export interface Revocations {
  /** `id`: a family's, or the `jti` of one token. */
  add(id: string): void
  isRevoked(id: string): boolean
}

export function createRevocations({ clock, keepMs }: { clock: Clock; keepMs: number }): Revocations {
  // Insertion order is order of expiry, as every entry is kept equally long.
  const untilMs = new Map<string, number>()

  function sweep(): void {
    for (const [id, until] of untilMs) {
      if (until > clock.now()) return
      untilMs.delete(id)
    }
  }

  return {
    add(id) {
      sweep()
      untilMs.delete(id)
      untilMs.set(id, clock.now() + keepMs)
    },
    isRevoked: (id) => untilMs.has(id),
  }
}
