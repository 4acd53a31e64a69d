/**
 * What a browser wants while its user signs in: an authorization request to be decided, or a page of ours. It is kept on the
 * server and bound to that browser; the forms only carry a token that proves from which page, for whom, they were sent.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { hashSecret, isSameSecret, randomSecret } from '../../web/secrets.ts'

export type SignInFailure = 'wrong-credentials' | 'wrong-email' | 'wrong-password-length'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  state: string | null
  codeChallenge: string | null
}

/** A visit to a page of ours that needs a user. */
export interface PageVisit {
  /** A path that we made, never one that was sent. */
  destination: string
}

/** Shown once more with what was typed. */
export interface FailedSignIn {
  kind: SignInFailure
  email: string
}

export type Transaction<Goal = AuthorizationRequest> = Goal & {
  id: string
  /** The hash of the browser's secret. */
  browserHash: string
  expiresAtMs: number
  /** The last sign-in, if it failed. */
  failure: FailedSignIn | null
  decision: 'approved' | 'denied' | null
}

export interface Transactions<Goal = AuthorizationRequest> {
  begin(goal: Goal, browserSecret: string): Promise<Transaction<Goal>>
  /** Undefined for another browser's, too. */
  find(id: string, browserSecret: string): Promise<Transaction<Goal> | undefined>
  noteFailure(transaction: Transaction<Goal>, failure: FailedSignIn | null): Promise<void>
  /** The decision that counts: the first one. */
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
    async noteFailure(transaction, failure) {
      // When another form of this transaction was faster, its outcome is shown.
      await write(transaction, { ...transaction, failure })
    },
    async decide(transaction, decision) {
      if (transaction.decision !== null) return transaction.decision
      if (await write(transaction, { ...transaction, decision })) return decision
      return (await store.get<Transaction<Goal>>(toKey(transaction.id)))?.decision ?? null
    },
  }
}

/** Proves that a form comes from the page that this browser was shown: `purpose` names the page and whom it was for. */
export function toFormToken(browserSecret: string, transactionId: string, purpose: string): string {
  return derive(browserSecret, `form:${transactionId}:${purpose}`)
}

/** The same for a repeated approval, so that a double click gives one code; only the browser's secret yields it. */
export function toCode(browserSecret: string, transactionId: string, userId: string): string {
  return derive(browserSecret, `code:${transactionId}:${userId}`)
}

function derive(browserSecret: string, text: string): string {
  return createHmac('sha256', browserSecret).update(text).digest('base64url')
}
