/** The page behind a link that an operator made for a user who has forgotten the password. */

import { toVisible } from '@posrep/kernel/visible'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { type NewPasswordProblem, newPasswordProblems } from './new-password.ts'
import { PasswordField } from './password-field.tsx'
import { accountPath, resetPath } from './paths.ts'

export interface ResetProps {
  email: string
  /** The secret of the link. */
  secret: string
  problem: NewPasswordProblem | undefined
}

export function resetPage(props: ResetProps): PageAnswer {
  return htmlAnswer(toHtml(<Reset {...props} />), { scripted: true, ...(props.problem && { status: 400 }) })
}

function Reset({ email, secret, problem }: ResetProps) {
  return (
    <Layout title="Set a new password" scripted>
      <div class="heading">
        <h1>Set a new password</h1>
        <p class="quiet">
          for{' '}
          <strong>
            <bdi>{toVisible(email)}</bdi>
          </strong>
        </p>
      </div>
      {problem && (
        <p class="failure" id="failure" role="alert" tabIndex={-1} autofocus>
          The password was not changed: {newPasswordProblems[problem]}.
        </p>
      )}
      <form class="form" method="post" action={resetPath(secret)}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <PasswordField
          kind="new"
          isWrong={problem !== undefined}
          help="It ends all of your sessions and signs applications out."
        />
        <div>
          <button type="submit" class="main">
            Set password
          </button>
        </div>
      </form>
    </Layout>
  )
}

export function endedLinkPage(): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title="This link has ended">
        <div class="heading">
          <h1>This link has ended</h1>
          <p>
            A link for a new password works once, and for an hour. If you have set your password with it, sign in.
            Otherwise ask the operator of this server for another link.
          </p>
        </div>
        <p>
          <a class="button main" href={accountPath}>
            Sign in
          </a>
        </p>
      </Layout>,
    ),
    { status: 404 },
  )
}
