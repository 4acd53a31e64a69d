/** Signing in, or creating an account, for the client or the page that waits behind it. */

import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/layout.tsx'
import { maxPasswordLength, minPasswordLength } from '../password.ts'
import type { FailedSignIn, SignInFailure } from '../transaction.ts'

export interface SignInProps {
  /** Where the form goes. */
  action: string
  formToken: string
  /** What it is for: "to continue to …". */
  goal: string
  /** The last try, with what was typed. */
  failed: FailedSignIn | null
}

/** The same words for an unknown e-mail and for a wrong password. */
const failures: Record<SignInFailure, { text: string; field?: 'email' | 'password' }> = {
  'wrong-credentials': { text: 'Email and password do not fit together. Check both and try again.' },
  'wrong-email': { text: 'No account was created: enter an email address such as name@example.com.', field: 'email' },
  'wrong-password-length': {
    text: `No account was created: choose a password of ${minPasswordLength} to ${maxPasswordLength} characters.`,
    field: 'password',
  },
}

export function signInPage(props: SignInProps, cookie: string | undefined): PageAnswer {
  return htmlAnswer(toHtml(<SignIn {...props} />), { cookie })
}

function SignIn({ action, formToken, goal, failed }: SignInProps) {
  const failure = failed && failures[failed.kind]
  const isWrong = (field: 'email' | 'password') => (failure && (failure.field ?? field) === field ? true : undefined)
  return (
    <Layout title="Sign in">
      <div class="heading">
        <h1>Sign in</h1>
        <p class="quiet">
          to continue to{' '}
          <strong>
            <bdi>{goal}</bdi>
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
            value={failed?.email}
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
            aria-describedby={isWrong('password') ? 'password-help failure' : 'password-help'}
          />
          <p class="help" id="password-help">
            New here? Choose a password of at least {minPasswordLength} characters and create an account.
          </p>
        </div>
        <div class="choices">
          <button type="submit" class="main" name="action" value="sign-in">
            Sign in
          </button>
          <button type="submit" name="action" value="create-account">
            Create account
          </button>
        </div>
      </form>
    </Layout>
  )
}
