/** The pages that ask for confirmation before access is revoked or a session ends. */

import { toVisible } from '@posrep/kernel/visible'
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import type { ApprovedClient } from '../people/consents.ts'
import type { Session } from '../people/session.ts'
import { AccountBar, type AccountBarProps } from './account-bar.tsx'
import { ApplicationDetails, SessionDetails, toOwnerName } from './details.tsx'
import { accountPath, revokeAccessPath, sessionPath } from './paths.ts'

/** Who is asked. */
type Asked = Omit<AccountBarProps, 'isAccountPage'> & { nowMs: number }

interface ConfirmProps extends Asked {
  title: string
  question: ComponentChildren
  action: string
  /** In the token of the form. */
  purpose: string
  button: string
  keep: string
  children: ComponentChildren
}

export function revokeAccessPage(
  { approved, ...asked }: Asked & { approved: ApprovedClient },
  cookie: string | undefined,
): PageAnswer {
  const { consent, client } = approved
  return confirmPage(
    {
      title: 'Revoke access',
      question: (
        <>
          Revoke the access of <bdi>{toVisible(client?.name ?? consent.clientId)}</bdi>?
        </>
      ),
      ...asked,
      action: revokeAccessPath(consent.clientId),
      purpose: `revoke:${consent.clientId}`,
      button: 'Revoke access',
      keep: 'Keep access',
      children: (
        <>
          <p>
            The application, by <bdi>{toVisible(toOwnerName(approved))}</bdi>, loses access to your account at once. It
            can ask you for access again.
          </p>
          <ApplicationDetails approved={approved} nowMs={asked.nowMs} />
        </>
      ),
    },
    cookie,
  )
}

export function endSessionPage(
  { chosen, isOwn, ...asked }: Asked & { chosen: Session; isOwn: boolean },
  cookie: string | undefined,
): PageAnswer {
  return confirmPage(
    {
      title: 'End session',
      question: isOwn ? 'End the session of this browser?' : 'End this session?',
      ...asked,
      action: sessionPath(chosen.id),
      purpose: `end-session:${chosen.id}`,
      button: 'End session',
      keep: 'Keep session',
      children: (
        <>
          <p>
            {isOwn ? 'You will be signed out here.' : 'That browser will have to sign in again.'} Applications keep the
            access that you have approved.
          </p>
          <SessionDetails session={chosen} nowMs={asked.nowMs} withBrowser />
        </>
      ),
    },
    cookie,
  )
}

function confirmPage(props: ConfirmProps, cookie: string | undefined): PageAnswer {
  return htmlAnswer(toHtml(<Confirm {...props} />), { cookie, scripted: true, formAction: props.uiOrigin })
}

function Confirm({ title, question, action, purpose, button, keep, children, nowMs, ...asked }: ConfirmProps) {
  return (
    <Layout title={title} bar={<AccountBar {...asked} />} uiOrigin={asked.uiOrigin} scripted nowMs={nowMs}>
      <h1>{question}</h1>
      {children}
      <form class="form" method="post" action={action}>
        <input type="hidden" name="form_token" value={asked.toToken(purpose)} />
        <div class="choices">
          <button type="submit" class="danger">
            {button}
          </button>
          <a class="button" href={accountPath}>
            {keep}
          </a>
        </div>
      </form>
    </Layout>
  )
}
