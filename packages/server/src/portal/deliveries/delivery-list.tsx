/** The page that lists all deliveries of a device in one state, with links to the next pages. */
import type { Delivery, Device } from '@posrep/spec'
import type { PageAnswer } from '../../pages/answer.ts'
import { Notice } from '../../pages/notice.tsx'
import { toVisible } from '../../visible.ts'
import { Identifier } from '../layout/identifier.tsx'
import { deliveriesPath, devicePath } from '../layout/paths.ts'
import { portalPage, type Viewer } from '../layout/portal-layout.tsx'
import { DeliveryBody, DeliveryTable, words } from './delivery-table.tsx'

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
  notice: string | undefined
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

export function deliveryListPage(props: DeliveryListProps): PageAnswer {
  const title = `Deliveries of ${props.device.deviceName}`
  return portalPage({ viewer: props.viewer, title, tab: 'devices', children: <DeliveriesOf {...props} /> })
}

function DeliveriesOf(props: DeliveryListProps) {
  const { viewer, device, state, deliveries, after, next, open, notice } = props
  const { deviceId, deviceName } = device
  const pathTo = (query: { after?: string | undefined; delivery?: string }) => deliveriesPath(deviceId, state, query)
  return (
    <>
      {notice !== undefined && <Notice text={notice} />}
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
      <section class="panel part" aria-labelledby="list-heading">
        <h2 id="list-heading">{words[state].word}</h2>
        <p class="quiet">{deliveries.length === 0 && after === undefined ? about[state].empty : about[state].order}</p>
        {deliveries.length > 0 && (
          <DeliveryTable
            viewer={viewer}
            deviceId={deviceId}
            deliveries={deliveries}
            toOpenHref={(delivery) => `${pathTo({ after, delivery })}#message`}
            list={state}
          />
        )}
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
        <DeliveryBody delivery={open} />
      </section>
    </>
  )
}

function States({ device: { deviceId }, state: current, pending, buried }: DeliveryListProps) {
  const counts = { pending, buried, delivered: undefined }
  return (
    <nav aria-label="State">
      <ul class="tabs">
        {(['pending', 'buried', 'delivered'] as const).map((state) => (
          <li key={state}>
            <a href={deliveriesPath(deviceId, state)} aria-current={state === current ? 'page' : undefined}>
              {words[state].word} {counts[state] !== undefined && `(${counts[state]})`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
