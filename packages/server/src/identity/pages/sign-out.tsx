/** The page that asks whether to sign out, for an application that has sent the user here. */

import { toVisible } from '@posrep/kernel/visible'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import type { User } from '../../ports/storage/directory.ts'
import type { SignOutRequest, Transaction } from '../people/sign-in-transaction.ts'
import { toFormAction } from './form-action.ts'
import { signOutPath } from './paths.ts'

export interface SignOutProps {
  transaction: Transaction<SignOutRequest>
  user: User
  formToken: string
  /** Of the portal, which the sign-out passes. */
  uiOrigin: string
}

export function signOutPage(props: SignOutProps, cookie: string | undefined): PageAnswer {
  const formAction = `${props.uiOrigin} ${toFormAction(props.transaction.returnTo)}`
  return htmlAnswer(toHtml(<SignOut {...props} />), { formAction, cookie })
}

function SignOut({ transaction, user, formToken }: SignOutProps) {
  return (
    <Layout title="Sign out">
      <h1>Sign out?</h1>
      <p>
        <bdi>{toVisible(transaction.application)}</bdi> asks to sign you out. You are signed in here as{' '}
        <strong>
          <bdi>{toVisible(user.email)}</bdi>
        </strong>
        .
      </p>
      <p class="quiet">It ends your sessions at the portal and at your account in this browser.</p>
      <form class="form" method="post" action={signOutPath(transaction.sealed)}>
        <input type="hidden" name="form_token" value={formToken} />
        <div class="choices">
          <button type="submit" name="decision" value="sign-out">
            Sign out
          </button>
          <button type="submit" name="decision" value="stay">
            Stay signed in
          </button>
        </div>
        <p class="help">Either way you return to the application.</p>
      </form>
    </Layout>
  )
}
