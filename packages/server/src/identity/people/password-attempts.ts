/**
 * Limits password checks and sign-ups per user and address; above the limit, it answers 429 without a check.
 * Each address has one check in progress at a time: counts are exact for parallel requests, too, and many requests from one
 * address delay only that address.
 */
import { createLimit } from '../../concurrency/limit.ts'
import { createThrottle, toCaller } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import { hashSecret } from '../../secrets.ts'
import { toEmail } from './users.ts'

export interface PasswordAttempt {
  /** As typed. */
  email: string
  address: string
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
/** Checks that wait per address. */
const maxWaiting = 64

export function createPasswordAttempts({ clock }: { clock: Clock }): PasswordAttempts {
  const message = 'Too many wrong passwords from this address'
  const wrongOfUser = createThrottle({ clock, limit: 10, windowMs, message })
  const wrongOfCaller = createThrottle({ clock, limit: 100, windowMs, message })
  const signUps = createThrottle({ clock, limit: 20, windowMs, message: 'Too many new accounts from this address' })
  const oneAtATime = createLimit({ maxWaiting })

  return {
    examine({ email, address, isSignUp = false }, check, toCountedOutcome) {
      const caller = toCaller(address)
      const user = `${caller} ${hashSecret(toEmail(email))}`
      return oneAtATime(caller, async () => {
        wrongOfUser.check(user)
        wrongOfCaller.check(caller)
        if (isSignUp) signUps.check(caller)
        const outcome = await check()
        const counted = toCountedOutcome(outcome)
        if (counted === 'sign-up') signUps.count(caller)
        if (counted === 'wrong-password') {
          wrongOfUser.count(user)
          wrongOfCaller.count(caller)
        }
        return outcome
      })
    },
  }
}
