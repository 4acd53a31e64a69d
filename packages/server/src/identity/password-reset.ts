/**
 * Sets the password of a user who has a link from the operator.
 * In: the secret of the link, and the form. Out: the page, or a new session on the account page; all others have ended.
 */
import { type PageAnswer, redirectAnswer } from '../pages/answer.ts'
import { type FormFields, toText } from '../pages/forms/form-fields.ts'
import type { Visitor } from '../web/cookies.ts'
import type { Audit } from './audit.ts'
import { findNewPasswordProblem } from './pages/new-password.ts'
import { accountPath } from './pages/paths.ts'
import { endedLinkPage, resetPage } from './pages/reset.tsx'
import type { ResetLinks } from './people/reset-links.ts'
import type { Sessions } from './people/session.ts'
import type { Users } from './people/users.ts'

export interface PasswordResetOptions {
  resetLinks: Pick<ResetLinks, 'find'>
  users: Pick<Users, 'changePassword'>
  sessions: Sessions
  /** Ends all refresh families and access tokens of a user. */
  endUserTokens(userId: string): Promise<void>
  audit: Audit
}

export type PasswordReset = ReturnType<typeof createPasswordReset>

export function createPasswordReset({ resetLinks, users, sessions, endUserTokens, audit }: PasswordResetOptions) {
  return {
    async show(_visitor: Visitor, secret: string): Promise<PageAnswer> {
      const user = await resetLinks.find(secret)
      return user ? resetPage({ email: user.email, secret, problem: undefined }) : endedLinkPage()
    },

    /** The secret in the address shows that the form is this user's. */
    async submit(visitor: Visitor, fields: FormFields, secret: string): Promise<PageAnswer> {
      const user = await resetLinks.find(secret)
      if (!user) return endedLinkPage()
      const password = toText(fields.new_password)
      const problem = await findNewPasswordProblem(password)
      if (problem) return resetPage({ email: user.email, secret, problem })
      // Changes nothing if the link was used meanwhile. As on the account page, tokens end before and after the change.
      await endUserTokens(user.id)
      const changed = await users.changePassword(user, password)
      if (!changed) return endedLinkPage()
      await endUserTokens(user.id)
      await sessions.endAll(user.id)
      audit({ event: 'password-changed', userId: user.id })
      const cookie = await sessions.begin(changed, visitor, { notice: 'password-changed' })
      return redirectAnswer(303, accountPath, cookie)
    },
  }
}
