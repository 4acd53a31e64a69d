/** The page that lists all deliveries of a device in one state, with links to the next pages. */

import { toVisible } from '@posrep/kernel/visible'
import type { Delivery, Device } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { Notice } from '../../pages/notice.tsx'
import { Identifier } from '../layout/identifier.tsx'
import { deliveriesPath, devicePath, resendBuriedPath, withQuery } from '../layout/paths.ts'
import { type PortalPage, portalPage } from '../layout/portal-layout.tsx'
import { FormToken, type Viewer } from '../layout/viewer.tsx'
import { DeliveryMessage } from './delivery-message.tsx'
import { DeliveryTable, words } from './delivery-table.tsx'

export interface DeliveryListProps {
  viewer: Viewer
  device: Device
  state: Delivery['state']
  deliveries: Delivery[]
  pending: number
  buried: number
  /** The last delivery of the previous page; none on the first page. */
  after: string | undefined
  /** The last delivery of this page; none on the last page. */
  next: string | undefined
  /** The delivery whose message is shown. */
  open: Delivery | undefined
  /** The ID that was searched for, in vain. */
  missing: string | undefined
  notice: { text: string; isFailure?: boolean } | undefined
  query: URLSearchParams
}

const about: Record<Delivery['state'], { order: string; empty: string }> = {
  pending: { order: 'In the order in which they are sent.', empty: 'No message is waiting for the relay.' },
  buried: {
    order: 'Oldest first, each with the reason. Resend queues a message again, with the same message ID.',
    empty: 'No message was set aside.',
  },
  delivered: {
    order: 'Newest first, test messages included. The last 50 deliveries are kept.',
    empty: 'No message was delivered recently.',
  },
}

export function deliveryListPage(props: DeliveryListProps): PortalPage {
  const { viewer, device, query } = props
  return portalPage({
    viewer,
    title: `Deliveries of ${device.deviceName}`,
    tab: 'devices',
    livePath: withQuery(`${devicePath(device.deviceId, 'deliveries')}/live`, query),
    children: <DeliveriesOf {...props} />,
  })
}

function DeliveriesOf(props: DeliveryListProps) {
  const { viewer, device, state, deliveries, buried, after, next, open, missing, notice } = props
  const { deviceId, deviceName } = device
  const pathTo = (query: { after?: string | undefined; delivery?: string }) => deliveriesPath(deviceId, state, query)
  return (
    <>
      {notice && <Notice {...notice} />}
      <div class="heading">
        <h1>
          Deliveries of{' '}
          <a href={devicePath(deviceId)}>
            <bdi>{toVisible(deviceName)}</bdi>
          </a>
        </h1>
        <Identifier value={deviceId} />
      </div>
      <States {...props} />
      <search>
        <form class="search" method="get" action={devicePath(deviceId, 'deliveries')}>
          <input type="hidden" name="state" value={state} />
          <div class="field">
            <label for="delivery-search">Delivery or message ID</label>
            <input id="delivery-search" name="delivery" type="search" required maxLength={1_000} value={missing} />
          </div>
          <button type="submit">Find</button>
          {missing !== undefined && (
            <p class="quiet" role="status">
              No delivery of this device has this ID, or it is too old.
            </p>
          )}
        </form>
      </search>
      <section class="panel part" aria-labelledby="list-heading">
        <h2 id="list-heading">{words[state].word}</h2>
        <Live id="about-list" class="split">
          <p class="quiet">
            {deliveries.length === 0 && after === undefined ? about[state].empty : about[state].order}
          </p>
          {state === 'buried' && buried > 0 && (
            <form method="post" action={resendBuriedPath(deviceId)}>
              <FormToken viewer={viewer} purpose={`resend-buried:${deviceId}`} />
              <button type="submit">Resend all {buried.toLocaleString('en')}</button>
            </form>
          )}
        </Live>
        <DeliveryTable
          viewer={viewer}
          deviceId={deviceId}
          deliveries={deliveries}
          toOpenHref={(delivery) => `${pathTo({ after, delivery })}#message`}
          list={state}
        />
        {(after !== undefined || next !== undefined) && (
          <nav class="split" aria-label="Pages of the list">
            {after === undefined ? (
              <span />
            ) : (
              <a class="button" href={pathTo({})}>
                First page
              </a>
            )}
            {next !== undefined && (
              <a class="button" href={pathTo({ after: next })} rel="next">
                Next
              </a>
            )}
          </nav>
        )}
        <DeliveryMessage delivery={open} nowMs={viewer.nowMs} />
      </section>
    </>
  )
}

function States({ device: { deviceId }, state: current, pending, buried }: DeliveryListProps) {
  const counts = { pending, buried, delivered: undefined }
  return (
    <nav aria-label="State">
      <Live id="delivery-states">
        <ul class="tabs">
          {(['pending', 'buried', 'delivered'] as const).map((state) => (
            <li key={state}>
              <a href={deliveriesPath(deviceId, state)} aria-current={state === current ? 'page' : undefined}>
                {words[state].word} {counts[state] !== undefined && `(${counts[state]})`}
              </a>
            </li>
          ))}
        </ul>
      </Live>
    </nav>
  )
}
