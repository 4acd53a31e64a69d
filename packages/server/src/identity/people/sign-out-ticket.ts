/**
 * Carries a sign-out from the portal to the identity provider, or back, in the address of a redirect: a browser has a session
 * at each, and Sign out at one of them ends both.
 * In: the user who signed out. Out: a sealed ticket, which is valid for a minute, for a session of the same user only.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Sealer } from '../keys/sealer.ts'

export interface SignOutTickets {
  issue(userId: string, to: 'portal' | 'account'): string
  /** The user who signed out; undefined for a ticket that is not valid here and now. */
  read(ticket: string, at: 'portal' | 'account'): string | undefined
}

const ttlMs = 60_000

export function createSignOutTickets({ sealer, clock }: { sealer: Sealer; clock: Clock }): SignOutTickets {
  const toBinding = (side: string) => `sign-out ${side}`
  return {
    issue: (userId, to) => sealer.seal(JSON.stringify({ userId, expiresAtMs: clock.now() + ttlMs }), toBinding(to)),
    read(ticket, at) {
      const text = sealer.open(ticket, toBinding(at))
      if (text === undefined) return undefined
      // We have sealed it.
      const { userId, expiresAtMs } = JSON.parse(text) as { userId: string; expiresAtMs: number }
      return clock.now() < expiresAtMs ? userId : undefined
    },
  }
}
