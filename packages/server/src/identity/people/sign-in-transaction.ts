/**
 * A transaction: the authorization request or the page for which a user signs in. It is stored on the server and bound to the
 * browser. The forms contain only a token, which proves from which page and by whom they were sent.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/storage/store.ts'
import { hashSecret, isSameSecret, randomSecret } from '../../secrets.ts'

export type SignInFailure = 'wrong-credentials' | 'wrong-email' | 'wrong-password-length'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  state: string | null
  codeChallenge: string | null
}

/** A visit to one of this server's pages that needs a user. */
export interface PageVisit {
  /** A path made by this server, never one from a request. */
  destination: string
}

/** The form shows the failure and the typed email. */
export interface FailedSignIn {
  kind: SignInFailure
  email: string
}

export type Transaction<Goal = AuthorizationRequest> = Goal & {
  id: string
  /** The hash of the browser's secret. */
  browserHash: string
  expiresAtMs: number
  /** The failure of the last sign-in; null if it succeeded. */
  failure: FailedSignIn | null
  decision: 'approved' | 'denied' | null
}

export interface Transactions<Goal = AuthorizationRequest> {
  begin(goal: Goal, browserSecret: string): Promise<Transaction<Goal>>
  /** Undefined for a transaction of another browser, too. */
  find(id: string, browserSecret: string): Promise<Transaction<Goal> | undefined>
  recordFailure(transaction: Transaction<Goal>, failure: FailedSignIn | null): Promise<void>
  /** Returns the first decision, which is the valid one. */
  decide(transaction: Transaction<Goal>, decision: 'approved' | 'denied'): Promise<Transaction['decision']>
}

export interface TransactionsOptions {
  store: Store
  clock: Clock
  /** Separates the two kinds: the id of one is unknown to the other. */
  name: 'authorize' | 'page-visit'
}

const ttlMs = 30 * 60_000

export function createTransactions<Goal>({ store, clock, name }: TransactionsOptions): Transactions<Goal> {
  const toKey = (id: string) => `${name}-transaction:${hashSecret(id)}`

  async function find(id: string, browserSecret: string): Promise<Transaction<Goal> | undefined> {
    const transaction = await store.get<Transaction<Goal>>(toKey(id))
    if (!transaction || transaction.expiresAtMs <= clock.now()) return undefined
    return isSameSecret(transaction.browserHash, hashSecret(browserSecret)) ? transaction : undefined
  }

  function write(from: Transaction<Goal>, to: Transaction<Goal>): Promise<boolean> {
    return store.replace(toKey(from.id), from, to, Math.max(1, from.expiresAtMs - clock.now()))
  }

  return {
    async begin(goal, browserSecret) {
      const transaction: Transaction<Goal> = {
        ...goal,
        id: randomSecret(16),
        browserHash: hashSecret(browserSecret),
        expiresAtMs: clock.now() + ttlMs,
        failure: null,
        decision: null,
      }
      await store.put(toKey(transaction.id), transaction, ttlMs)
      return transaction
    },
    find,
    async recordFailure(transaction, failure) {
      // If another form of this transaction was first, its outcome stays.
      await write(transaction, { ...transaction, failure })
    },
    async decide(transaction, decision) {
      if (transaction.decision !== null) return transaction.decision
      if (await write(transaction, { ...transaction, decision })) return decision
      return (await store.get<Transaction<Goal>>(toKey(transaction.id)))?.decision ?? null
    },
  }
}

/** Proves that a form comes from the page that this browser was shown: `purpose` names the page and its user. */
export function toFormToken(browserSecret: string, transactionId: string, purpose: string): string {
  return derive(browserSecret, `form:${transactionId}:${purpose}`)
}

/** Derives the code from the browser's secret, so that a double click gives one code. */
export function toCode(browserSecret: string, transactionId: string, userId: string): string {
  return derive(browserSecret, `code:${transactionId}:${userId}`)
}

function derive(browserSecret: string, text: string): string {
  return createHmac('sha256', browserSecret).update(text).digest('base64url')
}
