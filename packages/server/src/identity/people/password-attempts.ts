/**
 * Limits password checks and sign-ups per user and address; above the limit, it answers 429 without a check.
 * Each address has one check in progress at a time: counts are exact for parallel requests, too, and many requests from one
 * address delay only that address.
 */
import { ApiError } from '../../errors.ts'
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
const maxWaiting = 64

export function createPasswordAttempts({ clock }: { clock: Clock }): PasswordAttempts {
  const message = 'Too many wrong passwords from this address'
  const wrongOfUser = createThrottle({ clock, limit: 10, windowMs, message })
  const wrongOfCaller = createThrottle({ clock, limit: 100, windowMs, message })
  const signUps = createThrottle({ clock, limit: 20, windowMs, message: 'Too many new accounts from this address' })
  const queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

  async function inQueue<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(caller) ?? { last: Promise.resolve(), waiting: 0 }
    if (queue.waiting >= maxWaiting) {
      throw new ApiError('too_many_requests', 'Too many sign-ins at once; try again', {
        headers: { 'Retry-After': '5' },
      })
    }
    queue.waiting++
    queues.set(caller, queue)
    const done = queue.last.then(work)
    // The next check runs after a failure, too.
    queue.last = done.catch(() => {})
    try {
      return await done
    } finally {
      if (--queue.waiting === 0) queues.delete(caller)
    }
  }

  return {
    examine({ email, address, isSignUp = false }, check, toCountedOutcome) {
      const caller = toCaller(address)
      const user = `${caller} ${hashSecret(toEmail(email))}`
      return inQueue(caller, async () => {
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
