/** The approval page: shows which client asks for which scopes. Users see it at every authorization request. */

import { toVisible } from '@posrep/kernel/visible'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import type { Account, Client, User } from '../../ports/storage/directory.ts'
import type { Transaction } from '../people/sign-in-transaction.ts'
import { toFormAction } from './form-action.ts'
import { interactionPath } from './paths.ts'
import { ScopeList } from './scope-list.tsx'

export interface ApprovalProps {
  transaction: Transaction
  client: Client
  account: Account | undefined
  user: User
  formToken: string
  /** The client is this server's own portal. */
  isOwnPortal: boolean
}

export function approvalPage(props: ApprovalProps, cookie: string | undefined): PageAnswer {
  const formAction = toFormAction(props.transaction.redirectUri)
  return htmlAnswer(toHtml(<Approval {...props} />), { formAction, cookie })
}

function Approval({ transaction, client, account, user, formToken, isOwnPortal }: ApprovalProps) {
  const { host } = new URL(transaction.redirectUri)
  return (
    <Layout title="Approve access">
      <h1>
        Let <bdi>{toVisible(client.name)}</bdi> use your account?
      </h1>
      {isOwnPortal && (
        <p>
          This is the portal of this server. It asks as every application does, each time you sign in, so that nothing
          uses your account without you.
        </p>
      )}
      <dl class="details">
        <div>
          <dt>Application</dt>
          <dd>
            <bdi>{toVisible(client.name)}</bdi>, by <bdi>{toVisible(account?.name ?? client.accountId)}</bdi>
          </dd>
        </div>
        <div>
          <dt>Returns to</dt>
          <dd>
            <code>{host}</code>
          </dd>
        </div>
        <div>
          <dt>Signed in as</dt>
          <dd>
            <bdi>{toVisible(user.email)}</bdi>
          </dd>
        </div>
      </dl>
      <section class="form">
        <h2>It will be able to</h2>
        <ScopeList scopes={transaction.scopes} />
      </section>
      <form class="form" method="post" action={interactionPath(transaction.sealed, 'decision')}>
        <input type="hidden" name="form_token" value={formToken} />
        <div class="choices">
          <button type="submit" name="decision" value="approve">
            Approve
          </button>
          <button type="submit" name="decision" value="deny">
            Deny
          </button>
        </div>
        <p class="help">Either way you return to the application. It never sees your password.</p>
      </form>
      <form method="post" action={interactionPath(transaction.sealed, 'sign-out')}>
        <input type="hidden" name="form_token" value={formToken} />
        <button type="submit" class="link">
          Not you? Sign in as someone else
        </button>
      </form>
    </Layout>
  )
}
