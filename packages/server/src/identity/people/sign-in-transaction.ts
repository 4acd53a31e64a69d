/**
 * A transaction: the authorization request or the page for which a user signs in. Nothing is stored: the URLs of its
 * pages contain it, sealed and bound to the browser, for 30 minutes. The forms contain only a token, which proves from
 * which page and by whom they were sent.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import { randomSecret } from '../../secrets.ts'
import type { Sealer } from '../keys/sealer.ts'

export type SignInFailure =
  | 'wrong-credentials'
  | 'wrong-email'
  | 'wrong-password-length'
  | 'common-password'
  | 'sign-up-off'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  /** The client's `state` in base64url: as JSON it could be six times as long as it was sent. */
  encodedState: string | null
  codeChallenge: string | null
  /** The e-mail address that the sign-in page offers. */
  loginHint: string | null
  /** The user signs in for this request, also if a user is signed in (`prompt=login`). */
  asksPassword: boolean
}

/** An application's request to sign the user out. */
export interface SignOutRequest {
  /** The application's name. */
  application: string
  /** Where to return to, with the application's state. */
  returnTo: string
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
  expiresAtMs: number
  /** The failure of the last sign-in; null if it succeeded. */
  failure: FailedSignIn | null
  /** The whole transaction, for the URLs of its pages. */
  sealed: string
}

export interface Transactions<Goal = AuthorizationRequest> {
  begin(goal: Goal, browserSecret: string): Transaction<Goal>
  /** Undefined for a transaction of another browser. It may have expired (`isLive`). */
  find(sealed: string, browserSecret: string | undefined): Transaction<Goal> | undefined
  isLive(transaction: Transaction<Goal>): boolean
  /** The same transaction with the outcome of a sign-in; its URLs are others. */
  withFailure(transaction: Transaction<Goal>, failure: FailedSignIn | null, browserSecret: string): Transaction<Goal>
}

export interface TransactionsOptions {
  sealer: Sealer
  clock: Clock
  /** Separates the kinds: what was sealed for one is unknown to the others. */
  name: 'authorize' | 'page-visit' | 'portal-sign-in' | 'sign-out'
}

const ttlMs = 30 * 60_000

export function createTransactions<Goal extends object>({
  sealer,
  clock,
  name,
}: TransactionsOptions): Transactions<Goal> {
  const toBinding = (browserSecret: string) => `${name} ${browserSecret}`

  function seal(content: Goal & Omit<Transaction<object>, 'sealed'>, browserSecret: string): Transaction<Goal> {
    // Without the text in which it came.
    const text = JSON.stringify({ ...content, sealed: undefined })
    return { ...content, sealed: sealer.seal(text, toBinding(browserSecret)) }
  }

  return {
    begin: (goal, browserSecret) =>
      seal({ ...goal, id: randomSecret(16), expiresAtMs: clock.now() + ttlMs, failure: null }, browserSecret),
    find(sealed, browserSecret) {
      const text = browserSecret === undefined ? undefined : sealer.open(sealed, toBinding(browserSecret))
      return text === undefined ? undefined : { ...JSON.parse(text), sealed }
    },
    isLive: ({ expiresAtMs }) => clock.now() < expiresAtMs,
    withFailure: (transaction, failure, browserSecret) => seal({ ...transaction, failure }, browserSecret),
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

/** A secret of one transaction that need not be stored, because only the browser's secret leads to it. */
export function toTransactionSecret(browserSecret: string, transactionId: string, purpose: string): string {
  return derive(browserSecret, `secret:${transactionId}:${purpose}`)
}

function derive(browserSecret: string, text: string): string {
  return createHmac('sha256', browserSecret).update(text).digest('base64url')
}
