/**
 * Carries a sign-out from the portal to the identity provider, or back, in the address of a redirect: a browser has a
 * session at each, and Sign out at one of them ends both.
 * In: the user who signed out, and where to go on. Out: a sealed ticket, which is valid for a minute, for a session of
 * the same user only.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Sealer } from '../keys/sealer.ts'

export interface SignOut {
  userId: string
  /** An application's registered address, to return to. Default: a page that says that the user is signed out. */
  returnTo?: string | undefined
}

export interface SignOutTickets {
  issue(signOut: SignOut, to: 'portal' | 'account'): string
  /** Undefined for a ticket that is not valid here and now. */
  read(ticket: string, at: 'portal' | 'account'): SignOut | undefined
}

const ttlMs = 60_000

export function createSignOutTickets({ sealer, clock }: { sealer: Sealer; clock: Clock }): SignOutTickets {
  const toBinding = (side: string) => `sign-out ${side}`
  return {
    issue: (signOut, to) =>
      sealer.seal(JSON.stringify({ ...signOut, expiresAtMs: clock.now() + ttlMs }), toBinding(to)),
    read(ticket, at) {
      const text = sealer.open(ticket, toBinding(at))
      if (text === undefined) return undefined
      // We have sealed it.
      const { expiresAtMs, ...signOut } = JSON.parse(text) as SignOut & { expiresAtMs: number }
      return clock.now() < expiresAtMs ? signOut : undefined
    },
  }
}
