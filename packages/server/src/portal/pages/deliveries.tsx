/** On a device's page: the head of what is owed to the relay, of what was set aside and of what it has taken. */
import type { Delivery, DeliveryList } from '@posrep/spec'
import { DeliveryBody, DeliveryTable } from './delivery-table.tsx'
import type { Viewer } from './frame.tsx'
import { deliveriesPath } from './paths.ts'

export interface DeliveriesProps {
  viewer: Viewer
  deviceId: string
  deliveries: DeliveryList
  /** The one that is shown with its message. */
  open: Delivery | undefined
}

/** Of each state, on a device's page. */
export const shownOfAState = 10

export function Deliveries({ viewer, deviceId, deliveries: { data, pending, buried }, open }: DeliveriesProps) {
  return (
    <section class="panel part" aria-labelledby="deliveries-heading" id="deliveries" data-live>
      <h2 id="deliveries-heading">Deliveries</h2>
      {data.length === 0 ? (
        <p class="quiet">None yet. Each report that is forwarded to the relay appears here.</p>
      ) : (
        <>
          <p class="quiet">
            <a href={deliveriesPath(deviceId, 'pending')}>{pending} waiting</a>,{' '}
            <a href={deliveriesPath(deviceId, 'buried')}>{buried} set aside</a>,{' '}
            <a href={deliveriesPath(deviceId, 'delivered')}>delivered lately</a>; at most {shownOfAState} of each are
            shown here.
          </p>
          <DeliveryTable
            viewer={viewer}
            deviceId={deviceId}
            deliveries={data}
            toOpenHref={(id) => `?delivery=${encodeURIComponent(id)}#message`}
          />
        </>
      )}
      <DeliveryBody delivery={open} />
    </section>
  )
}
