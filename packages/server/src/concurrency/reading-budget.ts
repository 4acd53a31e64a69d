/**
 * Limits the large reads that are in progress at once: of one account, and of all accounts. Each read takes memory and a share of
 * the store's time.
 * In: the account of a read. Out: a function that ends the read; ApiError `unavailable` when too many reads wait already.
 */
import { ApiError } from '../errors.ts'

export interface ReadingBudgetOptions {
  perAccount?: number
  inAll?: number
  /** Limits of reads that wait for their turn. */
  waitingPerAccount?: number
  waitingInAll?: number
}

export interface ReadingBudget {
  /** Waits for a turn. Call the function that it resolves with when the read has ended. @throws ApiError `unavailable` */
  begin(accountId: string): Promise<() => void>
  /** The same for a read that ends with its promise. */
  during<T>(accountId: string, read: () => Promise<T>): Promise<T>
}

interface WaitingRead {
  accountId: string
  start(): void
}

export function createReadingBudget({
  perAccount = 3,
  inAll = 12,
  waitingPerAccount = 12,
  waitingInAll = 200,
}: ReadingBudgetOptions = {}): ReadingBudget {
  /** Key: account. Value: the number of its reads. */
  const running = new Map<string, number>()
  /** In the order of arrival. */
  let waiting: WaitingRead[] = []
  let count = 0

  const runningOf = (accountId: string) => running.get(accountId) ?? 0
  const mayStart = (accountId: string) => count < inAll && runningOf(accountId) < perAccount

  function start(accountId: string): void {
    count++
    running.set(accountId, runningOf(accountId) + 1)
  }

  function end(accountId: string): void {
    count--
    if (runningOf(accountId) === 1) running.delete(accountId)
    else running.set(accountId, runningOf(accountId) - 1)
    // The first one whose account has room: an account that uses its whole share delays no other.
    const next = waiting.find((read) => mayStart(read.accountId))
    if (!next) return
    waiting = waiting.filter((read) => read !== next)
    start(next.accountId)
    next.start()
  }

  async function begin(accountId: string): Promise<() => void> {
    if (mayStart(accountId)) start(accountId)
    else {
      const ofAccount = waiting.filter((read) => read.accountId === accountId).length
      if (ofAccount >= waitingPerAccount || waiting.length >= waitingInAll) {
        throw new ApiError('unavailable', 'Too many lists are being read at once; try again in 2 s', {
          headers: { 'Retry-After': '2' },
        })
      }
      await new Promise<void>((resolve) => waiting.push({ accountId, start: resolve }))
    }
    return () => end(accountId)
  }

  return {
    begin,
    async during(accountId, read) {
      const endReading = await begin(accountId)
      try {
        return await read()
      } finally {
        endReading()
      }
    },
  }
}
