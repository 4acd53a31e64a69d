/** What is known of an approved application and of a session, on the account page and where its end is asked for. */

import { toBrowserName } from '../../pages/browser-name.ts'
import { Moment } from '../../pages/moment.tsx'
import type { ApprovedClient } from '../consents.ts'
import type { Session } from '../session.ts'
import { ScopeList } from './scope-list.tsx'

export function ApplicationFacts({ approved, nowMs }: { approved: ApprovedClient; nowMs: number }) {
  const { scopes, grantedAtMs, lastUsedAtMs } = approved.consent
  return (
    <>
      <ScopeList scopes={scopes} />
      <dl class="facts columns">
        <div>
          <dt>Approved</dt>
          <dd>
            <Moment atMs={grantedAtMs} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{lastUsedAtMs === null ? 'not yet' : <Moment atMs={lastUsedAtMs} nowMs={nowMs} />}</dd>
        </div>
      </dl>
    </>
  )
}

export interface SessionFactsProps {
  session: Session
  nowMs: number
  withBrowser?: boolean
}

export function SessionFacts({ session, nowMs, withBrowser = false }: SessionFactsProps) {
  const { startedAtMs, seenAtMs, address, userAgent } = session
  return (
    <dl class="facts columns">
      {withBrowser && (
        <div>
          <dt>Browser</dt>
          <dd>
            <bdi>{toBrowserName(userAgent)}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>Started</dt>
        <dd>
          <Moment atMs={startedAtMs} nowMs={nowMs} />
        </dd>
      </div>
      <div>
        <dt>Last seen</dt>
        <dd>
          <Moment atMs={seenAtMs} nowMs={nowMs} />
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <code>{address || 'unknown'}</code>
        </dd>
      </div>
    </dl>
  )
}

export function toOwnerName({ client, owner, consent }: ApprovedClient): string {
  return owner?.name ?? client?.accountId ?? consent.clientId
}
