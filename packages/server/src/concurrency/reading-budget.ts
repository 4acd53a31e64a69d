/**
 * Limits large reads: those that are in progress at once, and the portions that clients have not taken yet. Accounts
 * take turns.
 * In: the reader, and a read or what makes the portions of one. Out: its result, or the same portions, each made in its
 * turn. See decision 38.
 */
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { createFairQueue } from './fair-queue.ts'
import { freeShareOf } from './free-share.ts'

export interface Reader {
  accountId: string
  /** The client has disconnected. */
  hasLeft(): boolean
  disconnect(): void
}

export interface ReadingBudget {
  /** Runs `read` in its turn. @throws ApiError `unavailable` when too many reads wait, or after `longestWaitMs` */
  during<T>(reader: Reader, read: () => Promise<T>): Promise<T>
  /**
   * Makes each portion in its turn; between two portions, the reader keeps nobody waiting. Only the first one is
   * refused as `during` refuses: an answer that has begun waits as long as it must.
   */
  inPortions<T, R>(reader: Reader, portions: Portions<T, R>): Portions<T, R>
}

type Portions<T, R> = AsyncGenerator<T[], R | undefined, undefined>

export interface ReadingBudgetOptions {
  /** Resolves after `ms`, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Reads in progress. */
  perAccount?: number
  inAll?: number
  /** Limits of reads that wait for their turn. The more reads wait, the fewer of them an account may have. */
  waitingPerAccount?: number
  waitingInAll?: number
  longestWaitMs?: number
  /** For all portions that were made and not taken yet, in characters. */
  untaken?: number
  /** The characters of an item of a portion. */
  sizeOf(item: unknown): number
}

interface WaitingRead {
  reader: Reader
  /** Its answer has begun. */
  hasBegun: boolean
  start(): void
  refuse(): void
}

interface UntakenPortion {
  reader: Reader
  size: number
}

export function createReadingBudget({
  sleep,
  perAccount = 2,
  inAll = 8,
  waitingPerAccount = 12,
  waitingInAll = 200,
  longestWaitMs = 5_000,
  untaken = 64 * 1024 * 1024,
  sizeOf,
}: ReadingBudgetOptions): ReadingBudget {
  const running = createCounts()
  const untakenSizes = createCounts()
  /** The oldest first. */
  const untakenPortions = new Set<UntakenPortion>()
  const waiting = createFairQueue<WaitingRead>()

  /** An account whose clients have taken everything may always have a portion, whatever the others leave. */
  function mayStart(accountId: string): boolean {
    const own = untakenSizes.of(accountId)
    const mayMake = own === 0 || own < freeShareOf(untaken, untakenSizes.sum())
    return mayMake && running.of(accountId) < Math.min(perAccount, freeShareOf(inAll, running.sum()))
  }

  async function begin(reader: Reader, hasBegun: boolean): Promise<void> {
    const { accountId } = reader
    if (waiting.countOf([accountId]) > 0 || !mayStart(accountId)) await wait(reader, hasBegun)
    else running.add(accountId, 1)
    // Reads that need not wait for the store would otherwise follow each other without a pause.
    await setImmediate()
  }

  function end({ accountId }: Reader): void {
    running.add(accountId, -1)
    startWaiting()
  }

  async function wait(reader: Reader, hasBegun: boolean): Promise<void> {
    refuseThoseWhoLeft()
    const { accountId } = reader
    const share = Math.min(waitingPerAccount, freeShareOf(waitingInAll, waiting.countOf([])))
    if (!hasBegun && waiting.countOf([accountId]) >= share) throw tooMany()
    const waited = new AbortController()
    try {
      await new Promise<void>((start, reject) => {
        const read = { reader, hasBegun, start, refuse: () => reject(tooMany()) }
        waiting.add([accountId], read)
        if (!hasBegun) void sleep(longestWaitMs, waited.signal).then(() => remove(read))
      })
    } finally {
      waited.abort()
    }
  }

  function remove(read: WaitingRead): void {
    waiting.remove([read.reader.accountId], read)
    read.refuse()
  }

  function refuseThoseWhoLeft(): void {
    for (const read of waiting.items()) if (read.reader.hasLeft()) remove(read)
  }

  /** Starts the reads whose accounts may start one. */
  function startWaiting(): void {
    refuseThoseWhoLeft()
    const may = ([accountId = '']: readonly string[]) => mayStart(accountId)
    for (let next = waiting.take({ may }); next; next = waiting.take({ may })) {
      running.add(next.reader.accountId, 1)
      next.start()
    }
  }

  /** When there are too many, the clients that have left a portion untaken for the longest time are disconnected. */
  function keep(portion: UntakenPortion): void {
    untakenPortions.add(portion)
    untakenSizes.add(portion.reader.accountId, portion.size)
    for (const oldest of untakenPortions) {
      if (oldest === portion || untakenSizes.sum() <= untaken) break
      forget(oldest)
      oldest.reader.disconnect()
    }
  }

  function forget(portion: UntakenPortion): void {
    if (untakenPortions.delete(portion)) untakenSizes.add(portion.reader.accountId, -portion.size)
  }

  async function inTurn<T>(reader: Reader, hasBegun: boolean, read: () => Promise<T>): Promise<T> {
    await begin(reader, hasBegun)
    try {
      return await read()
    } finally {
      end(reader)
    }
  }

  return {
    during: (reader, read) => inTurn(reader, false, read),
    async *inPortions(reader, portions) {
      let untakenPortion: UntakenPortion | undefined
      const taken = () => {
        if (untakenPortion) forget(untakenPortion)
        startWaiting()
      }
      try {
        for (;;) {
          const next = await inTurn(reader, untakenPortion !== undefined, async () => {
            const made = await portions.next()
            if (!made.done)
              keep((untakenPortion = { reader, size: made.value.reduce((sum, item) => sum + sizeOf(item), 0) }))
            return made
          })
          if (next.done) return next.value
          yield next.value
          taken()
        }
      } finally {
        taken()
        await portions.return(undefined)
      }
    },
  }
}

/** Sums per account. */
function createCounts() {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    sum: () => sum,
    of: (accountId: string) => counts.get(accountId) ?? 0,
    add(accountId: string, count: number): void {
      sum += count
      const after = (counts.get(accountId) ?? 0) + count
      if (after === 0) counts.delete(accountId)
      else counts.set(accountId, after)
    },
  }
}

function tooMany(): ApiError {
  return new ApiError('unavailable', 'Too many lists are being read at once; try again in 2 s', {
    headers: { 'Retry-After': '2' },
  })
}
