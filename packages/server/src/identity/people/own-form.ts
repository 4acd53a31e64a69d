/**
 * Finds the transaction of a page or a form that this browser was shown.
 * In: the transaction, sealed in the address; the browser's cookies; the token of the form. Out: the transaction and
 * the browser's secret, or the reason why it is refused, which the visitor reads (`pages/frame/refusals.ts`).
 */
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import { isSameSecret } from '../../secrets.ts'
import { findBrowserSecret, type Visitor } from '../../web/cookies.ts'
import { type Transaction, type Transactions, toFormToken } from './sign-in-transaction.ts'

export interface Own<Goal> {
  transaction: Transaction<Goal>
  secret: string
}

export type PageRefusal = 'no-cookie' | 'other-browser' | 'expired'
export type TokenRefusal = 'signed-out' | 'other-user' | 'altered'
/** Why a form of a session is refused, which no transaction limits in time. */
export type FormRefusal = 'no-cookie' | TokenRefusal

export function findOwn<Goal>(
  transactions: Transactions<Goal>,
  { cookies }: Pick<Visitor, 'cookies'>,
  sealed: string,
): Own<Goal> | PageRefusal {
  const secret = findBrowserSecret(cookies)
  if (secret === undefined) return 'no-cookie'
  const transaction = transactions.find(sealed, secret)
  if (!transaction) return 'other-browser'
  return transactions.isLive(transaction) ? { transaction, secret } : 'expired'
}

/** @param purpose The page, and the user who saw it if it was shown to one; undefined when that user is signed out. */
export function findOwnForm<Goal>(
  transactions: Transactions<Goal>,
  visitor: Visitor,
  sealed: string,
  fields: FormFields,
  purpose: string | undefined,
): Own<Goal> | PageRefusal | TokenRefusal {
  const own = findOwn(transactions, visitor, sealed)
  if (typeof own === 'string') return own
  return findTokenRefusal(fields, { secret: own.secret, id: own.transaction.id, purpose }) ?? own
}

/** @param page.id The transaction or the session of the page. */
export function findTokenRefusal(
  fields: FormFields,
  { secret, id, purpose }: { secret: string; id: string; purpose: string | undefined },
): TokenRefusal | undefined {
  const token = toText(fields.form_token)
  if (!isFormToken(token)) return 'altered'
  if (purpose === undefined) return 'signed-out'
  if (isSameSecret(token, toFormToken(secret, id, purpose))) return undefined
  // A sign-in page is shown to nobody in particular.
  return purpose === 'sign-in' ? 'altered' : 'other-user'
}

/** The shape of what `toFormToken` returns: 256 bits. */
function isFormToken(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token)
}
