/** The page of a pairing request: the countdown of 60 seconds in which the device must call, then the result. */

import { toVisible } from '@posrep/kernel/visible'
import type { Device, PairingRequest } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { Time } from '../../pages/time.tsx'
import { PairForm, toNameId } from '../devices/device-forms.tsx'
import { findLastReportMs } from '../devices/device-state.ts'
import { Badge } from '../layout/badge.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { devicePath, pairingRequestPath, pairingStartPath } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import { FormToken, type Viewer } from '../layout/viewer.tsx'
import { AgentCommand, isOnThisMachine } from './agent-command.tsx'
import { QrCode } from './qr-code.tsx'

export interface PairingProps {
  viewer: Viewer
  device: Device
  request: PairingRequest
  origins: { ingest: string; ui: string }
  /** See `AgentCommand`. */
  caFile: string | undefined
}

export function pairingPage(props: PairingProps): PortalPage {
  const { viewer, device, request } = props
  const isPending = request.state === 'pending'
  return portalPage({
    viewer,
    title: `Pair ${device.deviceName}`,
    tab: 'pairing',
    width: 'narrow',
    livePath: pairingRequestPath(request.id, 'live'),
    ...(isPending && { reloadSeconds: 3 }),
    children: (
      <>
        <div class="heading">
          <h1 id={toNameId(device.deviceId)}>
            Pair <bdi>{toVisible(device.deviceName)}</bdi>
          </h1>
          <Identifier value={device.deviceId} />
        </div>
        <Live id="pairing" class="part">
          <State {...props} />
        </Live>
        <p class="unseen" role="status" data-announce />
      </>
    ),
  })
}

function State(props: PairingProps) {
  switch (props.request.state) {
    case 'pending':
      return <Pending {...props} />
    case 'consumed':
      return <Paired {...props} />
    case 'expired':
      return <Over {...props} />
  }
}

function Pending({ viewer, request, origins, caFile }: PairingProps) {
  const leftSeconds = Math.max(0, Math.ceil((Date.parse(request.expiresAt) - viewer.nowMs) / 1_000))
  return (
    <>
      <div class="beside">
        <svg
          class="ring"
          viewBox="0 0 64 64"
          role="timer"
          aria-label="Seconds left"
          data-ends-at={Date.parse(request.expiresAt)}
        >
          <circle cx="32" cy="32" r="28" />
          <circle
            cx="32"
            cy="32"
            r="28"
            class="arc"
            pathLength={60}
            stroke-dasharray={`${leftSeconds} 60`}
            transform="rotate(-90 32 32)"
            data-arc
          />
          <text x="32" y="39" text-anchor="middle" data-seconds>
            {leftSeconds}
          </text>
        </svg>
        <div class="part">
          <p>
            Press the pairing button on the device now, or start its agent. If the device or its agent waits already,
            there is nothing more to do: it calls within seconds. It must call with this ID:
          </p>
          <p class="large">
            <code>{request.clientUniqueId}</code>
          </p>
        </div>
        {!isOnThisMachine(origins) && (
          <figure>
            <QrCode
              text={`${origins.ui}${pairingStartPath}?clientUniqueId=${encodeURIComponent(request.clientUniqueId)}`}
              label={`QR code of this pairing page for ${request.clientUniqueId}`}
            />
            <figcaption class="help">Scan to open this page on your phone.</figcaption>
          </figure>
        )}
      </div>
      <div class="part">
        <p class="help">With our agent, run this on the device:</p>
        <AgentCommand command="pair" localId={request.clientUniqueId} origins={origins} caFile={caFile} />
      </div>
      <form method="post" action={pairingRequestPath(request.id, 'cancel')}>
        <FormToken viewer={viewer} purpose={`cancel:${request.id}`} />
        <button type="submit">Cancel</button>
      </form>
    </>
  )
}

function Paired({ viewer, device, request, origins, caFile }: PairingProps) {
  const { consumedBy, sources, clientUniqueId } = request
  return (
    <>
      <p>
        <Badge tone="good">Paired</Badge>
      </p>
      {consumedBy && <Caller viewer={viewer} consumedBy={consumedBy} />}
      {consumedBy && <FirstReport viewer={viewer} device={device} sinceMs={Date.parse(consumedBy.at)} />}
      {consumedBy?.userAgent?.includes('posrep-agent') && (
        <div class="part">
          <p class="help">
            Now run the agent. The last option says where its positions come from: here a receiver that writes
            aircraft.json. Without a receiver, try <code>--simulate circles</code>.
          </p>
          <AgentCommand
            command="run --readsb /run/readsb/aircraft.json"
            localId={clientUniqueId}
            origins={origins}
            caFile={caFile}
          />
        </div>
      )}
      {sources > 1 && (
        <p class="failure">
          {sources} different addresses requested the tokens of this sensor. If the address above is not that of your
          device, revoke the tokens.
        </p>
      )}
      <div class="choices">
        <a class="button" href={devicePath(device.deviceId)}>
          Open the device
        </a>
        <form method="post" action={pairingRequestPath(request.id, 'revoke')}>
          <FormToken viewer={viewer} purpose={`revoke:${device.deviceId}`} />
          <button type="submit" class="danger">
            Not your device? Revoke
          </button>
        </form>
      </div>
    </>
  )
}

/** Pairing is done when the first report has arrived. */
function FirstReport({ viewer, device, sinceMs }: { viewer: Viewer; device: Device; sinceMs: number }) {
  if (!device.shouldStorePositionReportMetrics) {
    return <p class="quiet">Reports of this device are not stored, so they are not shown here.</p>
  }
  const lastMs = findLastReportMs(device)
  const isReceived = lastMs !== undefined && lastMs >= sinceMs
  return (
    <p role="status">
      {isReceived ? (
        <>
          <Badge tone="good">Report received</Badge> <Time atMs={lastMs} nowMs={viewer.nowMs} />
        </>
      ) : (
        <>
          <Badge tone="busy">Waiting for the first report</Badge> The device has its tokens and can send now.
        </>
      )}
    </p>
  )
}

function Caller({ viewer, consumedBy }: { viewer: Viewer; consumedBy: NonNullable<PairingRequest['consumedBy']> }) {
  return (
    <dl class="details columns">
      <div>
        <dt>Called from</dt>
        <dd>
          <code>{consumedBy.address}</code>
        </dd>
      </div>
      <div>
        <dt>Software</dt>
        <dd>
          <bdi>{consumedBy.userAgent === null ? 'unknown' : toVisible(consumedBy.userAgent)}</bdi>
        </dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          <Time atMs={Date.parse(consumedBy.at)} nowMs={viewer.nowMs} />
        </dd>
      </div>
    </dl>
  )
}

function Over(props: PairingProps) {
  return props.request.sources > 1 ? <Contested {...props} /> : <NoDeviceCalled {...props} />
}

/** With `--pairing-strict-source`: several addresses asked for the tokens, so none of them gets tokens. */
function Contested({ viewer, device, request: { sources, consumedBy } }: PairingProps) {
  return (
    <>
      <p>
        <Badge tone="bad">No tokens issued</Badge>
      </p>
      <p class="failure">
        {sources} different addresses requested the tokens of this sensor within two minutes, so none of them gets
        tokens.
        {consumedBy && ' The tokens that the first address received are revoked, with all other tokens of the device.'}
      </p>
      {consumedBy && <Caller viewer={viewer} consumedBy={consumedBy} />}
      <p>
        Make sure that only one device calls with this ID, and that its address does not change. Then wait a minute and
        press Pair.
      </p>
      <PairForm viewer={viewer} device={device} isMain />
    </>
  )
}

function NoDeviceCalled({ viewer, device, request }: PairingProps) {
  return (
    <>
      <p>
        <Badge tone="quiet">No device called</Badge>
      </p>
      <p>No device called. Press Pair to try again. Usual reasons:</p>
      <ul class="reasons">
        <li>
          The device uses another ID than <code>{request.clientUniqueId}</code>. Upper and lower case matter.
        </li>
        <li>The device is not on the network, or calls another server.</li>
        <li>
          The device does not trust this server: its clock is wrong, or its list of certificate authorities is too old.
        </li>
      </ul>
      <PairForm viewer={viewer} device={device} isMain />
    </>
  )
}
