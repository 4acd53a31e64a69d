/** Owes each report to the device's relay, if that is Active (specification, "Events"). */
import type { DeliveryLog } from '../ports/log.ts'
import { toNamedDelivery } from '../relays/delivery.ts'
import type { Stage } from './stage.ts'

export interface RouteOptions {
  deliveryLog: DeliveryLog
  /** Most deliveries owed to one relay; the oldest give way. Default: no bound. */
  perRelay?: number
  /** Told when some gave way. */
  onDropped?(deviceUrn: string, deliveries: number): void
}

export function route({ deliveryLog, perRelay, onDropped }: RouteOptions): Stage {
  return {
    name: 'route',
    async run(reports) {
      const device = reports[0]?.device
      if (device?.relay?.state !== 'Active') return
      const { dropped } = await deliveryLog.append(
        reports.map(({ text, summary }) => ({ line: device.id, body: toNamedDelivery(device.id, text, summary) })),
        perRelay === undefined ? undefined : { perLine: perRelay },
      )
      if (dropped > 0) onDropped?.(device.id, dropped)
    },
  }
}
