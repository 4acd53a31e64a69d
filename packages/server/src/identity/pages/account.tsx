/** The account page: approved applications, sessions, and the form that changes the password. */

import { toVisible } from '@posrep/kernel/visible'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { toBrowserName } from '../../pages/browser-name.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { Notice as NoticeLine } from '../../pages/notice.tsx'
import { PageLinks } from '../../pages/page-links.tsx'
import { toTimeText } from '../../pages/time.tsx'
import type { User } from '../../ports/storage/directory.ts'
import type { ApprovedPage } from '../people/consents.ts'
import type { Notice, Session } from '../people/session.ts'
import { AccountBar } from './account-bar.tsx'
import { ApplicationDetails, SessionDetails, toOwnerName } from './details.tsx'
import { newPasswordProblems } from './new-password.ts'
import { PasswordField, type PasswordKind } from './password-field.tsx'
import { accountFormPath, accountPath, revokeAccessPath, sessionPath } from './paths.ts'

export interface AccountProps {
  user: User
  session: Session
  applications: ApprovedPage
  sessions: Session[]
  nowMs: number
  toToken(purpose: string): string
  /** The origin of the portal. */
  uiOrigin: string
}

const notices: Record<Notice, { text: string; field?: PasswordKind }> = {
  'password-changed': {
    text: 'Your password was changed. All other sessions have ended, and applications must ask you to sign in again.',
  },
  'access-revoked': { text: 'Access was revoked. The application can no longer use your account.' },
  'session-ended': { text: 'The session has ended.' },
  'other-sessions-ended': { text: 'All other sessions have ended.' },
  'wrong-current-password': {
    text: 'The password was not changed: the current password is wrong.',
    field: 'current',
  },
  'wrong-new-password-length': {
    text: `The password was not changed: ${newPasswordProblems['wrong-length']}.`,
    field: 'new',
  },
  'common-new-password': {
    text: `The password was not changed: ${newPasswordProblems.common}.`,
    field: 'new',
  },
}

export function accountPage(props: AccountProps, cookie: string | undefined): PageAnswer {
  // Sign-out continues at the portal.
  return htmlAnswer(toHtml(<AccountOf {...props} />), { cookie, scripted: true, formAction: props.uiOrigin })
}

function AccountOf({ user, session, applications, sessions, nowMs, toToken, uiOrigin }: AccountProps) {
  const notice = session.notice ? notices[session.notice] : undefined
  return (
    <Layout
      title="Your account"
      width="wide"
      bar={<AccountBar user={user} toToken={toToken} uiOrigin={uiOrigin} isAccountPage />}
      uiOrigin={uiOrigin}
      scripted
      nowMs={nowMs}
    >
      <div class="heading">
        <h1>Your account</h1>
        <p class="quiet">
          <bdi>{toVisible(user.email)}</bdi>
        </p>
      </div>
      {notice && <NoticeLine text={notice.text} isFailure={notice.field !== undefined} />}
      <Applications applications={applications} nowMs={nowMs} />
      <SessionList own={session} sessions={sessions} nowMs={nowMs} formToken={toToken('end-others')} />
      <PasswordForm user={user} formToken={toToken('password')} wrong={notice?.field} />
    </Layout>
  )
}

function Applications({ applications, nowMs }: Pick<AccountProps, 'applications' | 'nowMs'>) {
  const { items, page, pages, total } = applications
  return (
    <section class="part" aria-labelledby="applications">
      <h2 id="applications">Applications</h2>
      {pages > 1 && <p class="quiet">{total} applications have access, the last used first.</p>}
      {total === 0 ? (
        <p class="quiet">No applications yet. An application that you approve is listed here until you revoke it.</p>
      ) : (
        <ul class="rows">
          {items.map((one) => (
            <li key={one.consent.id} class="row">
              <div class="split">
                <div>
                  <h3>
                    <bdi>{toVisible(one.client?.name ?? one.consent.clientId)}</bdi>
                  </h3>
                  <p class="quiet">
                    by <bdi>{toVisible(toOwnerName(one))}</bdi>
                    {one.client?.disabled && ', disabled'}
                  </p>
                </div>
                <a
                  class="button danger"
                  href={revokeAccessPath(one.consent.clientId)}
                  aria-label={`Revoke ${toVisible(one.client?.name ?? one.consent.clientId)}`}
                >
                  Revoke
                </a>
              </div>
              <ApplicationDetails approved={one} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      )}
      <PageLinks path={accountPath} page={page} pages={pages} />
    </section>
  )
}

interface SessionListProps {
  own: Session
  sessions: Session[]
  nowMs: number
  formToken: string
}

function SessionList({ own, sessions, nowMs, formToken }: SessionListProps) {
  return (
    <section class="part" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {sessions.length > 1 && (
        <form method="post" action={accountFormPath('end-others')}>
          <input type="hidden" name="form_token" value={formToken} />
          <button type="submit" class="danger">
            End all others
          </button>
        </form>
      )}
      <ul class="rows">
        {sessions.map((session) => (
          <li key={session.id} class="row">
            <div class="split">
              <h3>
                <bdi>{toBrowserName(session.userAgent)}</bdi>{' '}
                {session.id === own.id && <span class="badge">This browser</span>}
              </h3>
              <a
                class="button danger"
                href={sessionPath(session.id)}
                aria-label={`End the session of ${toBrowserName(session.userAgent)}, seen ${toTimeText(session.seenAtMs, nowMs)}`}
              >
                End
              </a>
            </div>
            <SessionDetails session={session} nowMs={nowMs} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PasswordForm({ user, formToken, wrong }: { user: User; formToken: string; wrong: PasswordKind | undefined }) {
  return (
    <section class="part" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form class="form narrow" method="post" action={accountFormPath('password')}>
        <input type="hidden" name="form_token" value={formToken} />
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autocomplete="username" value={user.email} readOnly hidden />
        <PasswordField kind="current" isWrong={wrong === 'current'} />
        <PasswordField
          kind="new"
          isWrong={wrong === 'new'}
          help="A new password ends all other sessions and signs applications out."
        />
        <div>
          <button type="submit" class="main">
            Change password
          </button>
        </div>
      </form>
    </section>
  )
}
