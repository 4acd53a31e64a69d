/**
 * Processes the sign-in form, which precedes an approval or the account page.
 * In: the form's fields and the visitor. Out: the cookies of a new session and of a known browser, or the failure to
 * show in the form.
 */

import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import { findKnownBrowser, toKnownBrowserCookie, type Visitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import type { KnownBrowsers } from './known-browser.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import type { Sessions } from './session.ts'
import type { FailedSignIn } from './sign-in-transaction.ts'
import { type SignInOutcome, toEmail, type Users } from './users.ts'

export type SignIn = (
  visitor: Visitor,
  fields: FormFields,
  /** The id of the transaction. */
  signInId: string,
) => Promise<{ kind: 'signed-in'; cookies: string[] } | { kind: 'refused'; failed: FailedSignIn }>

export interface SignInOptions {
  users: Users
  sessions: Sessions
  attempts: PasswordAttempts
  knownBrowsers: KnownBrowsers
  audit: Audit
}

/** The typed email is in the URL of the page that shows the failure. */
const maxShownEmailBytes = 300

/** @throws ApiError `too_many_requests` */
export function createSignIn({ users, sessions, attempts, knownBrowsers, audit }: SignInOptions): SignIn {
  return async (visitor, fields, signInId) => {
    const email = toText(fields.email)
    const password = toText(fields.password)
    const { address } = visitor
    const known = findKnownBrowser(visitor.cookies)
    const knownBrowser = known !== undefined && knownBrowsers.isKnown(known, toEmail(email)) ? known : undefined
    const isSignUp = fields.action === 'create-account'
    const outcome = await attempts.examine(
      { email, address, knownBrowser, isSignUp },
      () => (isSignUp ? users.create(email, password) : users.signIn(email, password)),
      toCountedOutcome,
    )
    if (outcome.kind === 'refused') {
      audit({ event: 'sign-in-failed', address })
      return { kind: 'refused', failed: { kind: outcome.failure, email: toShownEmail(email) } }
    }
    const { user } = outcome
    if (outcome.isNew) audit({ event: 'account-created', userId: user.id, accountId: user.accountId, address })
    audit({ event: 'signed-in', userId: user.id, address })
    const session = await sessions.begin(user, visitor, { signInId })
    return {
      kind: 'signed-in',
      cookies: [session, toKnownBrowserCookie(knownBrowser ?? knownBrowsers.toValue(user.email))],
    }
  }
}

function toCountedOutcome(outcome: SignInOutcome): 'wrong-password' | 'sign-up' | undefined {
  if (outcome.kind === 'refused') return outcome.failure === 'wrong-credentials' ? 'wrong-password' : undefined
  return outcome.isNew ? 'sign-up' : undefined
}

/** Empty if it is too long for the URL. */
function toShownEmail(typed: string): string {
  return Buffer.byteLength(JSON.stringify(typed)) > maxShownEmailBytes ? '' : typed
}
