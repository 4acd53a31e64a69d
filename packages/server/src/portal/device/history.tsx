/** When a device was paired, got tokens, and had a report refused: why it may be silent. */
import type { DeviceHistory, IssuedToken } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'
import { toVisible } from '../../visible.ts'

const grants: Record<IssuedToken['grant'], string> = {
  pairing: 'by pairing',
  client_credentials: 'with client credentials',
  refresh_token: 'by refresh',
}

export function History({ history, nowMs }: { history: DeviceHistory; nowMs: number }) {
  return (
    <section class="panel part" aria-labelledby="history-heading">
      <h2 id="history-heading">Access</h2>
      <Live id="history" class="part">
        <HistoryNow history={history} nowMs={nowMs} />
      </Live>
    </section>
  )
}

function HistoryNow({
  history: { pairings, lastToken, lastRefusedReport },
  nowMs,
}: {
  history: DeviceHistory
  nowMs: number
}) {
  return (
    <>
      <dl class="details">
        <div>
          <dt>Last token</dt>
          <dd>
            {lastToken ? (
              <>
                <Time atMs={Date.parse(lastToken.at)} nowMs={nowMs} /> {grants[lastToken.grant]}
              </>
            ) : (
              'none in the last 90 days'
            )}
          </dd>
        </div>
        <div>
          <dt>Last refused report</dt>
          <dd>
            {lastRefusedReport ? (
              <>
                <Time atMs={Date.parse(lastRefusedReport.at)} nowMs={nowMs} />: {lastRefusedReport.status},{' '}
                {toVisible(lastRefusedReport.detail)}
              </>
            ) : (
              'none'
            )}
          </dd>
        </div>
      </dl>
      <h3>Pairings</h3>
      {pairings.length === 0 ? (
        <p class="quiet">Not paired in the last 90 days.</p>
      ) : (
        <ul class="rows">
          {pairings.map(({ at, address, userAgent }) => (
            <li key={at} class="row">
              <p>
                <Time atMs={Date.parse(at)} nowMs={nowMs} /> from <code>{address}</code>
                <br />
                <span class="help">
                  <bdi>{userAgent === null ? 'Unknown software' : toVisible(userAgent)}</bdi>
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
