/** Appends a delivery of each report to the delivery log, if the device's relay is Active (specification, "Events"). */
import type { DeliveryLog, LogBound } from '../../ports/storage/log.ts'
import { deliveryOf, toLog } from '../../relays/deliveries/delivery.ts'
import type { PipelineReport, Stage } from '../stage.ts'

export interface RouteOptions {
  deliveryLog: DeliveryLog
  /** Beyond it, the oldest deliveries are dropped. Default: no limit. */
  deliveryBound?(deviceUrn: string): LogBound
  /** Called when deliveries were dropped; without an address for another device than that of the reports. */
  onDropped?(deviceUrn: string, url: string | undefined, deliveries: number): void
}

export function route({ deliveryLog, deliveryBound, onDropped }: RouteOptions): Stage {
  return {
    name: 'route',
    run(reports) {
      const device = reports[0]?.device
      return device?.relay?.state === 'Active' ? appendDeliveries(device.id, device.relay.url, reports) : undefined
    },
  }

  async function appendDeliveries(deviceUrn: string, url: string, reports: readonly PipelineReport[]): Promise<void> {
    const { dropped, others = [] } = await deliveryLog.append(
      reports.map(({ text, summary }) => ({ queue: deviceUrn, body: toLog(deliveryOf(deviceUrn, text, summary)) })),
      deliveryBound?.(deviceUrn),
    )
    if (dropped > 0) onDropped?.(deviceUrn, url, dropped)
    for (const { queue, entries } of others) onDropped?.(queue, undefined, entries)
  }
}
