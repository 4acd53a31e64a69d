/**
 * Limits the messages that users can make this server send to addresses that have not consented, so that nobody can use
 * the server as a scanner or an amplifier.
 * In: the account and the host. Out: ApiError `too_many_requests` beyond the limits.
 */
import { createSlots } from '../../concurrency/slots.ts'
import { ApiError } from '../../errors.ts'
import { createThrottle } from '../../http/throttle.ts'
import type { Clock } from '../../ports/clock.ts'

export interface RelayLimits {
  /** Counts an update, test message or repetition of the account. @throws ApiError `too_many_requests` */
  countUpdate(accountId: string): void
  /**
   * Counts up to `messages` resent messages of the account, and returns how many. @throws ApiError `too_many_requests`
   */
  countResends(accountId: string, messages: number): number
  /** Runs `send`, if few others run for the account and the host. @throws ApiError `too_many_requests` */
  whileSending<T>(accountId: string, host: string, send: () => Promise<T>): Promise<T>
}

const minuteMs = 60_000
const updatesPerMinute = 60
/** As many as the backlog of a relay has by default. */
const resendsPerMinute = 10_000
const atOnce = { account: 8, host: 16 }

export function createRelayLimits({ clock }: { clock: Clock }): RelayLimits {
  const perMinute = { clock, windowMs: minuteMs }
  const updates = createThrottle({
    ...perMinute,
    limit: updatesPerMinute,
    message: `More than ${updatesPerMinute} relay updates, test messages and repetitions of this account in a minute`,
  })
  const resends = createThrottle({
    ...perMinute,
    limit: resendsPerMinute,
    message: `More than ${resendsPerMinute} messages of this account were resent in a minute`,
  })
  const sending = createSlots()

  return {
    countUpdate(accountId) {
      updates.check(accountId)
      updates.count(accountId)
    },
    countResends(accountId, messages) {
      resends.check(accountId)
      const allowed = Math.min(messages, resendsPerMinute - resends.used(accountId))
      resends.count(accountId, allowed)
      return allowed
    },
    async whileSending(accountId, host, send) {
      const account = `account ${accountId}`
      const acquired = sending.acquire({ [account]: atOnce.account, [`host ${host}`]: atOnce.host })
      if (acquired.kind === 'full') {
        const which =
          acquired.key === account
            ? `${atOnce.account} messages of this account`
            : `${atOnce.host} messages to this host`
        throw new ApiError('too_many_requests', `${which} wait for an answer; try again in 5 s`, {
          headers: { 'Retry-After': '5' },
        })
      }
      try {
        return await send()
      } finally {
        acquired.release()
      }
    },
  }
}
