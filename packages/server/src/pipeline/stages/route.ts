/** Appends a delivery of each report to the delivery log, if the device's relay is Active (specification, "Events"). */
import type { DeliveryLog } from '../../ports/storage/log.ts'
import { deliveryOf, toLog } from '../../relays/deliveries/delivery.ts'
import type { PipelineReport, Stage } from '../stage.ts'

export interface RouteOptions {
  deliveryLog: DeliveryLog
  /** Limit of pending deliveries per relay; beyond it the oldest are dropped. Default: no limit. */
  perRelay?: number
  /** Called when deliveries were dropped. */
  onDropped?(deviceUrn: string, url: string, deliveries: number): void
}

export function route({ deliveryLog, perRelay, onDropped }: RouteOptions): Stage {
  return {
    name: 'route',
    run(reports) {
      const device = reports[0]?.device
      return device?.relay?.state === 'Active' ? appendDeliveries(device.id, device.relay.url, reports) : undefined
    },
  }

  async function appendDeliveries(deviceUrn: string, url: string, reports: readonly PipelineReport[]): Promise<void> {
    const { dropped } = await deliveryLog.append(
      reports.map(({ text, summary }) => ({ queue: deviceUrn, body: toLog(deliveryOf(deviceUrn, text, summary)) })),
      perRelay === undefined ? undefined : { perQueue: perRelay },
    )
    if (dropped > 0) onDropped?.(deviceUrn, url, dropped)
  }
}
