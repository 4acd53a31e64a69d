/**
 * How often passwords may be tried and accounts be created: beyond the limit 429, unexamined.
 * One address has one check under way at a time: what is counted is exact whatever is sent at once, and an address that
 * floods stands in its own queue, not in everybody's.
 */
import { ApiError } from '../../errors.ts'
import { createThrottle, toCaller } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import { hashSecret } from '../../web/secrets.ts'
import { toEmail } from './users.ts'

export interface PasswordAttempt {
  /** As typed. */
  email: string
  address: string
  isSignUp?: boolean
}

export interface PasswordAttempts {
  /** Runs `check` if the limits allow it, and counts how it ended. @throws ApiError `too_many_requests` */
  examine<T>(
    attempt: PasswordAttempt,
    check: () => Promise<T>,
    toCounted: (outcome: T) => 'wrong-password' | 'sign-up' | undefined,
  ): Promise<T>
}

const windowMs = 15 * 60_000
const maxWaiting = 64

export function createPasswordAttempts({ clock }: { clock: Clock }): PasswordAttempts {
  const message = 'Too many wrong passwords were tried from here'
  const wrongOfUser = createThrottle({ clock, limit: 10, windowMs, message })
  const wrongOfCaller = createThrottle({ clock, limit: 100, windowMs, message })
  const signUps = createThrottle({ clock, limit: 20, windowMs, message: 'Too many accounts were created from here' })
  const lanes = new Map<string, { last: Promise<unknown>; waiting: number }>()

  async function inLane<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(caller) ?? { last: Promise.resolve(), waiting: 0 }
    if (lane.waiting >= maxWaiting) {
      throw new ApiError('too_many_requests', 'Too many sign-ins at once; try again', {
        headers: { 'Retry-After': '5' },
      })
    }
    lane.waiting++
    lanes.set(caller, lane)
    const done = lane.last.then(work)
    // The next in line does not mind how this one ends.
    lane.last = done.catch(() => {})
    try {
      return await done
    } finally {
      if (--lane.waiting === 0) lanes.delete(caller)
    }
  }

  return {
    examine({ email, address, isSignUp = false }, check, toCounted) {
      const caller = toCaller(address)
      const user = `${caller} ${hashSecret(toEmail(email))}`
      return inLane(caller, async () => {
        wrongOfUser.check(user)
        wrongOfCaller.check(caller)
        if (isSignUp) signUps.check(caller)
        const outcome = await check()
        const counted = toCounted(outcome)
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
