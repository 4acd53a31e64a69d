/**
 * Limits password checks and sign-ups per user and caller; above the limit, it answers 429 without a check.
 * The caller is an address, or a browser in which the user has signed in before: what others do does not use up the
 * limits of that browser. One check of a user, of an address, and of the known browsers of an address is in progress at
 * a time, so counts are exact for parallel requests, too. Addresses are served in fair turns, known browsers ahead.
 * After many wrong passwords of one user, from any addresses, the checks of that user wait for each other, except those
 * of known browsers.
 */
import { createLimit } from '../../concurrency/limit.ts'
import { createThrottle, networkOf } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SharedCounts } from '../../ports/storage/shared-counts.ts'
import { hashSecret } from '../../secrets.ts'
import { createFairTurns } from './fair-turns.ts'
import { toEmail } from './users.ts'

export interface PasswordAttempt {
  /** As typed. */
  email: string
  address: string
  /** Identifies a browser in which this user has signed in before, or a session. */
  knownBrowser?: string | undefined
  isSignUp?: boolean
}

export interface PasswordAttempts {
  /** Runs `check` if the limits allow it, and counts its outcome. @throws ApiError `too_many_requests` */
  examine<T>(
    attempt: PasswordAttempt,
    check: () => Promise<T>,
    toCountedOutcome: (outcome: T) => 'wrong-password' | 'sign-up' | undefined,
  ): Promise<T>
}

const windowMs = 15 * 60_000
/** Checks that wait per user and caller, and per address. */
const maxWaiting = 64
/** In all. Two checks at a time, because signatures need the other threads of Node's pool. */
const inTurn = { maxRunning: 2, maxWaiting: 64 }
/** After this many wrong passwords of a user from unknown browsers, their checks begin this long after each other. */
const slowDown = { after: 20, everyMs: 2_000, maxWaiting: 16 }
/** Of the slow turns of a user, so that 1,000 addresses have had one each before it ends. */
const slowWindowMs = 24 * 60 * 60_000

export function createPasswordAttempts({
  clock,
  sharedCounts,
}: {
  clock: Clock
  sharedCounts?: SharedCounts | undefined
}): PasswordAttempts {
  const shared = (name: string) => sharedCounts && { counts: sharedCounts, name }
  const message = 'Too many wrong passwords from this address'
  const limits = {
    user: createThrottle({ clock, limit: 10, windowMs, message, shared: shared('wrong-passwords-of-user') }),
    caller: createThrottle({ clock, limit: 100, windowMs, message, shared: shared('wrong-passwords') }),
    signUps: createThrottle({
      clock,
      limit: 20,
      windowMs,
      message: 'Too many new accounts from this address',
      shared: shared('sign-ups'),
    }),
    /** Only its count is used. */
    anywhere: createThrottle({
      clock,
      limit: Number.POSITIVE_INFINITY,
      windowMs,
      message: '',
      shared: shared('wrong-passwords-anywhere'),
    }),
  }
  const oneAtATime = createLimit({ maxWaiting })
  const inTurnOfUser = createFairTurns({ clock, windowMs: slowWindowMs, maxWaiting: slowDown.maxWaiting })
  const inTurnOfAll = createFairTurns({ clock, windowMs, ...inTurn })

  return {
    examine({ email, address, knownBrowser, isSignUp = false }, check, toCountedOutcome) {
      const user = hashSecret(toEmail(email))
      const caller = knownBrowser === undefined ? networkOf(address) : `browser ${knownBrowser}`
      const userOfCaller = `${caller} ${user}`
      // Known browsers wait for each other, too: anyone can make many browsers known, for an account of their own.
      const queue = `${knownBrowser === undefined ? 'address' : 'known browsers of'} ${networkOf(address)}`

      function checkLimits(): void {
        limits.user.check(userOfCaller)
        limits.caller.check(caller)
        if (isSignUp) limits.signUps.check(caller)
      }

      async function refreshLimits(): Promise<void> {
        await Promise.all([
          limits.user.refresh(userOfCaller),
          limits.caller.refresh(caller),
          isSignUp && limits.signUps.refresh(caller),
          limits.anywhere.refresh(user),
        ])
      }

      function countOutcome(outcome: 'wrong-password' | 'sign-up' | undefined): void {
        if (outcome === 'sign-up') limits.signUps.count(caller)
        if (outcome !== 'wrong-password') return
        limits.user.count(userOfCaller)
        limits.caller.count(caller)
        if (knownBrowser === undefined) limits.anywhere.count(user)
      }

      return oneAtATime(userOfCaller, async () => {
        await refreshLimits()
        checkLimits()
        const isSlow = knownBrowser === undefined && limits.anywhere.used(user) >= slowDown.after
        // It waits before its turn in the address, so that it does not delay the other users of that address.
        if (isSlow) await inTurnOfUser({ key: user, address }, () => clock.sleep(slowDown.everyMs))
        return oneAtATime(queue, async () => {
          checkLimits()
          const turn = { key: 'all', address, isAhead: knownBrowser !== undefined }
          const outcome = await inTurnOfAll(turn, check)
          countOutcome(toCountedOutcome(outcome))
          return outcome
        })
      })
    },
  }
}
