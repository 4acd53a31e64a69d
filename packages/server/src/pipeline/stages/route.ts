/** Owes each report to the device's relay, if that is Active (specification, "Events"). */
import type { DeliveryLog } from '../../ports/log.ts'
import { toNamedDelivery } from '../../relays/deliveries/delivery.ts'
import type { PipelineReport, Stage } from '../stage.ts'

export interface RouteOptions {
  deliveryLog: DeliveryLog
  /** Most deliveries owed to one relay; the oldest give way. Default: no bound. */
  perRelay?: number
  /** Told when some gave way. */
  onDropped?(deviceUrn: string, url: string, deliveries: number): void
}

export function route({ deliveryLog, perRelay, onDropped }: RouteOptions): Stage {
  return {
    name: 'route',
    run(reports) {
      const device = reports[0]?.device
      return device?.relay?.state === 'Active' ? owe(device.id, device.relay.url, reports) : undefined
    },
  }

  async function owe(deviceUrn: string, url: string, reports: readonly PipelineReport[]): Promise<void> {
    const { dropped } = await deliveryLog.append(
      reports.map(({ text, summary }) => ({ line: deviceUrn, body: toNamedDelivery(deviceUrn, text, summary) })),
      perRelay === undefined ? undefined : { perLine: perRelay },
    )
    if (dropped > 0) onDropped?.(deviceUrn, url, dropped)
  }
}
