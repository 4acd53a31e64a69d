/**
 * The sign-in form, wherever it stands: in front of an approval or of the account page.
 * In: what was typed, by whom. Out: the cookie of a new session, or what was wrong with it, to be shown once more.
 */

import { type FormFields, toText } from '../../pages/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import type { Audit } from '../audit.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import type { Sessions } from './session.ts'
import type { FailedSignIn } from './transaction.ts'
import type { SignInOutcome, Users } from './users.ts'

export type SignIn = (
  visitor: Visitor,
  fields: FormFields,
  /** The transaction that it is for. */
  signInId: string,
) => Promise<{ kind: 'signed-in'; cookie: string } | { kind: 'refused'; failed: FailedSignIn }>

export interface SignInOptions {
  users: Users
  sessions: Sessions
  attempts: PasswordAttempts
  audit: Audit
}

const maxShownEmail = 254

/** @throws ApiError `too_many_requests` */
export function createSignIn({ users, sessions, attempts, audit }: SignInOptions): SignIn {
  return async (visitor, fields, signInId) => {
    const email = toText(fields.email)
    const password = toText(fields.password)
    const { address } = visitor
    const isSignUp = fields.action === 'create-account'
    const outcome = await attempts.examine(
      { email, address, isSignUp },
      () => (isSignUp ? users.create(email, password) : users.signIn(email, password)),
      toCounted,
    )
    if (outcome.kind === 'refused') {
      audit({ event: 'sign-in-failed', address })
      return { kind: 'refused', failed: { kind: outcome.failure, email: email.slice(0, maxShownEmail) } }
    }
    const { user } = outcome
    if (outcome.isNew) audit({ event: 'account-created', userId: user.id, accountId: user.accountId, address })
    audit({ event: 'signed-in', userId: user.id, address })
    return { kind: 'signed-in', cookie: await sessions.begin(user, visitor, { signInId }) }
  }
}

function toCounted(outcome: SignInOutcome): 'wrong-password' | 'sign-up' | undefined {
  if (outcome.kind === 'refused') return outcome.failure === 'wrong-credentials' ? 'wrong-password' : undefined
  return outcome.isNew ? 'sign-up' : undefined
}
