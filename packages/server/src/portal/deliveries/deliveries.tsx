/** The section of a device's page that shows the first deliveries of each state: waiting, set aside, delivered. */
import type { Delivery, DeliveryList } from '@posrep/spec'
import { Live } from '../../pages/live.tsx'
import { deliveriesPath } from '../layout/paths.ts'
import type { Viewer } from '../layout/viewer.tsx'
import { DeliveryMessage } from './delivery-message.tsx'
import { DeliveryTable } from './delivery-table.tsx'

export interface DeliveriesProps {
  viewer: Viewer
  deviceId: string
  deliveries: DeliveryList
  /** The delivery whose message is shown. */
  open: Delivery | undefined
  /** Of the page. */
  query: URLSearchParams
}

/** Number of deliveries shown for each state. */
export const shownPerState = 5

export function Deliveries({ viewer, deviceId, deliveries: { data, pending, buried }, open, query }: DeliveriesProps) {
  return (
    <section class="panel part" aria-labelledby="deliveries-heading" id="deliveries">
      <h2 id="deliveries-heading">Deliveries</h2>
      <Live id="delivery-counts">
        {data.length === 0 ? (
          <p class="quiet">No deliveries yet. Each report that is forwarded to the relay appears here.</p>
        ) : (
          <p class="quiet">
            <a href={deliveriesPath(deviceId, 'pending')}>{pending} waiting</a>,{' '}
            <a href={deliveriesPath(deviceId, 'buried')}>{buried} set aside</a>,{' '}
            <a href={deliveriesPath(deviceId, 'delivered')}>recently delivered</a>. At most {shownPerState} of each are
            shown here.
          </p>
        )}
      </Live>
      <DeliveryTable
        viewer={viewer}
        deviceId={deviceId}
        deliveries={data}
        toOpenHref={(delivery) => `?${new URLSearchParams({ ...Object.fromEntries(query), delivery })}#message`}
      />
      <DeliveryMessage delivery={open} nowMs={viewer.nowMs} />
    </section>
  )
}
