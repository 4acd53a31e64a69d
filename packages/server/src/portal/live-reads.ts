/**
 * What live pages read and make, shared by the streams of an account.
 * In: a name, and what reads it. Out: the result, which the streams of the account use for a second. An account's pages
 * are made one after another, and with pauses: however many streams it has, they take at most a fifth of the time, and
 * those of all accounts together about half.
 */
import { createLimit } from '../concurrency/limit.ts'
import type { Clock } from '../ports/clock.ts'

export interface LiveReads {
  /** The result of the same name, if it is younger than a second. */
  share<T>(name: string, read: () => Promise<T>): Promise<T>
  /** Runs `make` when nothing else runs for the account. */
  inTurn<T>(accountId: string, make: () => Promise<T>): Promise<T>
}

const sharedForMs = 1_000
/** A pause is so much longer than what was made before it. */
const toPauseFactor = (accounts: number) => Math.max(4, 2 * accounts - 1)

export function createLiveReads({ clock }: { clock: Clock }): LiveReads {
  /** In the order of their times. */
  const results = new Map<string, { atMs: number; result: Promise<unknown> }>()
  const limit = createLimit()
  /** Accounts whose page is being made, or that pause after it. */
  let accountsInTurn = 0

  function forgetOld(): void {
    for (const [name, { atMs }] of results) {
      if (clock.now() - atMs < sharedForMs) return
      results.delete(name)
    }
  }

  return {
    share<T>(name: string, read: () => Promise<T>): Promise<T> {
      forgetOld()
      const known = results.get(name)
      // A name belongs to one reader, so that the result has its type.
      if (known) return known.result as Promise<T>
      const result = read()
      results.set(name, { atMs: clock.now(), result })
      result.catch(() => results.delete(name))
      return result
    },

    inTurn<T>(accountId: string, make: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>()
      void limit(accountId, async () => {
        accountsInTurn++
        const startedAtMs = clock.now()
        const made = make()
        resolve(made)
        await made.catch(() => undefined)
        const pauseMs = (clock.now() - startedAtMs) * toPauseFactor(accountsInTurn)
        if (pauseMs > 0) await clock.sleep(pauseMs)
        accountsInTurn--
      })
      return promise
    },
  }
}
