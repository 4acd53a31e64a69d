/**
 * An authorization request while its user signs in and decides, kept on the server and bound to the browser that made it.
 * The forms carry no parameters of the request, only a token that proves from which page, for whom, they were sent.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { hashSecret, isSameSecret, randomSecret } from './secrets.ts'

export type SignInFailure = 'wrong-credentials' | 'wrong-email' | 'wrong-password-length'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  state: string | null
  codeChallenge: string | null
}

export interface Transaction extends AuthorizationRequest {
  id: string
  /** Of the browser's secret. */
  browserHash: string
  expiresAtMs: number
  /** The last sign-in that failed, to be shown once more with what was typed. */
  failure: { kind: SignInFailure; email: string } | null
  decision: 'approved' | 'denied' | null
}

export interface Transactions {
  begin(request: AuthorizationRequest, browserSecret: string): Promise<Transaction>
  /** Undefined for another browser's, too. */
  find(id: string, browserSecret: string): Promise<Transaction | undefined>
  noteFailure(transaction: Transaction, failure: Transaction['failure']): Promise<void>
  /** The decision that counts: the first one. */
  decide(transaction: Transaction, decision: 'approved' | 'denied'): Promise<Transaction['decision']>
}

const ttlMs = 30 * 60_000

export function createTransactions({ store, clock }: { store: Store; clock: Clock }): Transactions {
  async function find(id: string, browserSecret: string): Promise<Transaction | undefined> {
    const transaction = await store.get<Transaction>(toKey(id))
    if (!transaction || transaction.expiresAtMs <= clock.now()) return undefined
    return isSameSecret(transaction.browserHash, hashSecret(browserSecret)) ? transaction : undefined
  }

  function write(from: Transaction, to: Transaction): Promise<boolean> {
    return store.replace(toKey(from.id), from, to, Math.max(1, from.expiresAtMs - clock.now()))
  }

  return {
    async begin(request, browserSecret) {
      const transaction: Transaction = {
        ...request,
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
      // Where another form of this transaction was faster, its outcome is the one to show.
      await write(transaction, { ...transaction, failure })
    },
    async decide(transaction, decision) {
      if (transaction.decision !== null) return transaction.decision
      if (await write(transaction, { ...transaction, decision })) return decision
      return (await store.get<Transaction>(toKey(transaction.id)))?.decision ?? null
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

function toKey(id: string): string {
  return `authorize-transaction:${hashSecret(id)}`
}
