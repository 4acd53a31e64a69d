/** When a device was paired, got tokens, and had a report refused: why it may be silent. */

import { toVisible } from '@posrep/kernel/visible'
import type { DeviceHistory, IssuedToken } from '@posrep/spec'
import { Live, LiveRows, NewRows } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'

const grants: Record<IssuedToken['grant'], string> = {
  pairing: 'by pairing',
  client_credentials: 'with client credentials',
  refresh_token: 'by refresh',
}

export function History({ history, nowMs }: { history: DeviceHistory; nowMs: number }) {
  return (
    <section class="panel part" aria-labelledby="history-heading">
      <h2 id="history-heading">Access</h2>
      <Live id="history">
        <Last history={history} nowMs={nowMs} />
      </Live>
      <h3>Pairings</h3>
      <Live id="no-pairings">
        {history.pairings.length === 0 && <p class="quiet">Not paired in the last 90 days.</p>}
      </Live>
      <div class="list">
        <NewRows id="pairings" />
        <LiveRows
          id="pairings"
          as="ul"
          class="rows"
          rows={history.pairings.map((pairing) => <PairingRow key={pairing.at} pairing={pairing} nowMs={nowMs} />)}
        />
      </div>
    </section>
  )
}

function Last({ history: { lastToken, lastRefusedReport }, nowMs }: { history: DeviceHistory; nowMs: number }) {
  return (
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
  )
}

type Pairing = DeviceHistory['pairings'][number]

function PairingRow({ pairing: { at, address, userAgent }, nowMs, ...row }: { pairing: Pairing; nowMs: number }) {
  return (
    <li {...row} class="row">
      <p>
        <Time atMs={Date.parse(at)} nowMs={nowMs} /> from <code>{address}</code>
        <br />
        <span class="help">
          <bdi>{userAgent === null ? 'Unknown software' : toVisible(userAgent)}</bdi>
        </span>
      </p>
    </li>
  )
}
