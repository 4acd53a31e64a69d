/** The details of an approved application and of a session, for the account page and the confirmation pages. */

import { toBrowserName } from '../../pages/browser-name.ts'
import { Time } from '../../pages/time.tsx'
import type { ApprovedClient } from '../people/consents.ts'
import type { Session } from '../people/session.ts'
import { ScopeList } from './scope-list.tsx'

export function ApplicationDetails({ approved, nowMs }: { approved: ApprovedClient; nowMs: number }) {
  const { scopes, grantedAtMs, lastUsedAtMs } = approved.consent
  return (
    <>
      <ScopeList scopes={scopes} />
      <dl class="details columns">
        <div>
          <dt>Approved</dt>
          <dd>
            <Time atMs={grantedAtMs} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{lastUsedAtMs === null ? 'not yet' : <Time atMs={lastUsedAtMs} nowMs={nowMs} />}</dd>
        </div>
      </dl>
    </>
  )
}

export interface SessionDetailsProps {
  session: Session
  nowMs: number
  withBrowser?: boolean
}

export function SessionDetails({ session, nowMs, withBrowser = false }: SessionDetailsProps) {
  const { startedAtMs, seenAtMs, address, userAgent } = session
  return (
    <dl class="details columns">
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
          <Time atMs={startedAtMs} nowMs={nowMs} />
        </dd>
      </div>
      <div>
        <dt>Last seen</dt>
        <dd>
          <Time atMs={seenAtMs} nowMs={nowMs} />
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
