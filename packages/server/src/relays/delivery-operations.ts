/** The HTTP face of deliveries: what is owed to a relay, what became of it, and sending it again. */
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'

type DeliveryOperations = Pick<Handlers, 'listDeliveries' | 'getDelivery' | 'resendDelivery' | 'sendTestMessage'>

export function deliveryOperations(): DeliveryOperations {
  const none = async () => {
    throw new ApiError('unavailable', 'Deliveries are not shown yet')
  }
  return { listDeliveries: none, getDelivery: none, resendDelivery: none, sendTestMessage: none }
}
