/** The approval page: shows which client asks for which scopes. Users see it at every authorization request. */

import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import type { Account, Client, User } from '../../ports/storage/directory.ts'
import { toVisible } from '../../visible.ts'
import type { Transaction } from '../people/sign-in-transaction.ts'
import { interactionPath } from './paths.ts'
import { ScopeList } from './scope-list.tsx'

export interface ApprovalProps {
  transaction: Transaction
  client: Client
  account: Account | undefined
  user: User
  formToken: string
}

export function approvalPage(props: ApprovalProps, cookie: string | undefined): PageAnswer {
  const { origin } = new URL(props.transaction.redirectUri)
  return htmlAnswer(toHtml(<Approval {...props} />), { formAction: origin, cookie })
}

function Approval({ transaction, client, account, user, formToken }: ApprovalProps) {
  const { host } = new URL(transaction.redirectUri)
  return (
    <Layout title="Approve access">
      <h1>
        Let <bdi>{toVisible(client.name)}</bdi> use your account?
      </h1>
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
