/**
 * The decisions about authorization requests: the first one of a request is stored, so that it uses the request up.
 * In: a transaction and what its user pressed. Out: the decision that counts. A record outlives its transaction.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import type { Transaction } from '../people/sign-in-transaction.ts'

export interface Decision {
  kind: 'approved' | 'denied'
  userId: string
}

type Decided = Pick<Transaction, 'id' | 'expiresAtMs'>

export interface Decisions {
  find(transaction: Decided): Promise<Decision | undefined>
  /** Returns the first decision, which is the valid one. */
  decide(transaction: Decided, wanted: Decision): Promise<Decision | undefined>
  /** Turns an approval, whose code must be void, into a denial. */
  withdraw(transaction: Decided, approval: Decision): Promise<void>
}

/** The clocks of two processes may differ by this much. */
const marginMs = 60_000

export function createDecisions({ store, clock }: { store: Store; clock: Clock }): Decisions {
  const toTtlMs = ({ expiresAtMs }: Decided) => Math.max(0, expiresAtMs - clock.now()) + marginMs
  const find = ({ id }: Decided) => store.get<Decision>(toKey(id))

  return {
    find,
    async decide(transaction, wanted) {
      const isFirst = await store.replace(toKey(transaction.id), undefined, wanted, toTtlMs(transaction))
      return isFirst ? wanted : find(transaction)
    },
    async withdraw(transaction, approval) {
      await store.replace<Decision>(
        toKey(transaction.id),
        approval,
        { ...approval, kind: 'denied' },
        toTtlMs(transaction),
      )
    },
  }
}

function toKey(transactionId: string): string {
  return `authorize-decision:${hashSecret(transactionId)}`
}
