/** The pages that ask for confirmation before access is revoked or a session ends. */

import { toVisible } from '@posrep/kernel/visible'
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { SiteNav } from '../../pages/frame/site-nav.tsx'
import type { ApprovedClient } from '../people/consents.ts'
import type { Session } from '../people/session.ts'
import { ApplicationDetails, SessionDetails, toOwnerName } from './details.tsx'
import { accountPath, revokeAccessPath, sessionPath } from './paths.ts'

interface ConfirmProps {
  title: string
  question: ComponentChildren
  action: string
  formToken: string
  uiOrigin: string
  nowMs: number
  button: string
  keep: string
  children: ComponentChildren
}

export function revokeAccessPage(
  {
    approved,
    formToken,
    nowMs,
    uiOrigin,
  }: { approved: ApprovedClient; formToken: string; nowMs: number; uiOrigin: string },
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
      action: revokeAccessPath(consent.clientId),
      formToken,
      uiOrigin,
      nowMs,
      button: 'Revoke access',
      keep: 'Keep access',
      children: (
        <>
          <p>
            The application, by <bdi>{toVisible(toOwnerName(approved))}</bdi>, loses access to your account at once. It
            can ask you for access again.
          </p>
          <ApplicationDetails approved={approved} nowMs={nowMs} />
        </>
      ),
    },
    cookie,
  )
}

export function endSessionPage(
  {
    chosen,
    isOwn,
    formToken,
    nowMs,
    uiOrigin,
  }: { chosen: Session; isOwn: boolean; formToken: string; nowMs: number; uiOrigin: string },
  cookie: string | undefined,
): PageAnswer {
  return confirmPage(
    {
      title: 'End session',
      question: isOwn ? 'End the session of this browser?' : 'End this session?',
      action: sessionPath(chosen.id),
      formToken,
      uiOrigin,
      nowMs,
      button: 'End session',
      keep: 'Keep session',
      children: (
        <>
          <p>
            {isOwn ? 'You will be signed out here.' : 'That browser will have to sign in again.'} Applications keep the
            access that you have approved.
          </p>
          <SessionDetails session={chosen} nowMs={nowMs} withBrowser />
        </>
      ),
    },
    cookie,
  )
}

function confirmPage(props: ConfirmProps, cookie: string | undefined): PageAnswer {
  return htmlAnswer(toHtml(<Confirm {...props} />), { cookie, scripted: true, formAction: props.uiOrigin })
}

function Confirm({ title, question, action, formToken, uiOrigin, nowMs, button, keep, children }: ConfirmProps) {
  return (
    <Layout title={title} bar={<SiteNav uiOrigin={uiOrigin} />} uiOrigin={uiOrigin} scripted nowMs={nowMs}>
      <h1>{question}</h1>
      {children}
      <form class="form" method="post" action={action}>
        <input type="hidden" name="form_token" value={formToken} />
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
