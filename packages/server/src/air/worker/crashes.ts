/**
 * Remembers what ended the thread of the air pictures, so that the same entry does not end it again and again.
 * In: the failures of requests. Out: which entries of an account to set aside, and whether its snapshot.
 */
import { AirThreadEnded } from '../thread/thread-ended.ts'

/** An entry of the account, by its seq, or its snapshot. */
export type Step = number | 'snapshot'

export interface Crashes {
  /** Rethrows, and remembers it if the thread ended at this step. */
  watch<T>(accountId: string, step: Step, work: () => Promise<T>): Promise<T>
  isPoison(accountId: string, step: Step): boolean
  /** When a snapshot covers the entries. */
  forget(accountId: string): void
}

/** Once may be chance: the thread had used its memory for something else. */
const mostCrashes = 2

export function createCrashes(): Crashes {
  const byAccount = new Map<string, Map<Step, number>>()
  const count = (accountId: string, step: Step) => byAccount.get(accountId)?.get(step) ?? 0

  return {
    async watch(accountId, step, work) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof AirThreadEnded && error.wasAtWork) {
          const steps = byAccount.get(accountId) ?? new Map<Step, number>()
          byAccount.set(accountId, steps.set(step, count(accountId, step) + 1))
        }
        throw error
      }
    },
    isPoison: (accountId, step) => count(accountId, step) >= mostCrashes,
    forget: (accountId) => void byAccount.delete(accountId),
  }
}
