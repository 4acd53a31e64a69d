/**
 * The sign-in page, for signing in or creating an account; then the user continues to a client or to the account page.
 */

import { toVisible } from '@posrep/kernel/visible'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { ShowPassword } from '../../pages/forms/show-password.tsx'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { maxPasswordLength, minPasswordLength } from '../people/password.ts'
import type { FailedSignIn, SignInFailure } from '../people/sign-in-transaction.ts'
import { newPasswordProblems } from './new-password.ts'

export interface SignInProps {
  /** The form's target. */
  action: string
  formToken: string
  /** The client or page that the user continues to. */
  goal: string
  /** The failed attempt before, with the typed email. */
  failed: FailedSignIn | null
  /** The email that the client has proposed. Default: none. */
  hint?: string | null
  /** Whether people can create an account here. */
  canSignUp: boolean
}

/** An unknown email and a wrong password have the same text, so the page does not reveal which accounts exist. */
const failures: Record<SignInFailure, { text: string; field?: 'email' | 'password' }> = {
  'wrong-credentials': { text: 'The email or the password is wrong. Check both and try again.' },
  'wrong-email': { text: 'No account was created: enter an email address such as name@example.com.', field: 'email' },
  'wrong-password-length': {
    text: `No account was created: ${newPasswordProblems['wrong-length']}.`,
    field: 'password',
  },
  'common-password': { text: `No account was created: ${newPasswordProblems.common}.`, field: 'password' },
  'sign-up-off': { text: 'No account was created: ask the operator of this server for one.' },
}

export function signInPage(props: SignInProps, cookie: string | undefined): PageAnswer {
  return htmlAnswer(toHtml(<SignIn {...props} />), { cookie, scripted: true })
}

function SignIn({ action, formToken, goal, failed, hint, canSignUp }: SignInProps) {
  const failure = failed && failures[failed.kind]
  const isWrong = (field: 'email' | 'password') => (failure && (failure.field ?? field) === field ? true : undefined)
  return (
    <Layout title="Sign in" scripted>
      <div class="heading">
        <h1>Sign in</h1>
        <p class="quiet">
          to continue to{' '}
          <strong>
            <bdi>{toVisible(goal)}</bdi>
          </strong>
        </p>
      </div>
      {failure && (
        <p class="failure" id="failure" role="alert" tabIndex={-1} autofocus>
          {failure.text}
        </p>
      )}
      <form class="form" method="post" action={action}>
        <input type="hidden" name="form_token" value={formToken} />
        <div class="field">
          <label for="email">Email</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            maxLength={254}
            value={failed?.email ?? hint ?? undefined}
            aria-invalid={isWrong('email')}
            aria-describedby={isWrong('email') && 'failure'}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxLength={maxPasswordLength}
            aria-invalid={isWrong('password')}
            aria-describedby={
              [canSignUp ? 'new-here' : '', isWrong('password') ? 'failure' : ''].join(' ').trim() || undefined
            }
          />
          <ShowPassword fieldId="password" />
        </div>
        <div class="choices">
          <button type="submit" class="main" name="action" value="sign-in">
            Sign in
          </button>
          {canSignUp && (
            <button type="submit" name="action" value="create-account" data-names-email="email">
              Create account
            </button>
          )}
        </div>
        <p class="help" id="new-here">
          {canSignUp
            ? `New here? Enter your email and a new password of at least ${minPasswordLength} characters, and press “Create account”.`
            : 'New here, or forgot your password? Ask the operator of this server.'}
        </p>
      </form>
    </Layout>
  )
}
