/** Owes each report to the device's relay, if that is Active (specification, "Events"). */
import type { DeliveryLog } from '../ports/log.ts'
import { toDelivery } from '../relays/delivery.ts'
import type { Stage } from './stage.ts'

export interface RouteOptions {
  deliveryLog: DeliveryLog
}

export function route({ deliveryLog }: RouteOptions): Stage {
  return {
    name: 'route',
    async run(reports) {
      const device = reports[0]?.device
      if (device?.relay?.state !== 'Active') return
      await deliveryLog.append(
        reports.map(({ text, report }) => ({ line: device.id, body: toDelivery(device.id, text, report) })),
      )
    },
  }
}
