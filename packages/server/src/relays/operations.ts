/** The HTTP face of relays (specification, "Surveillance out": relay update; "States and transitions"). */
import type { RelayDetails, RelayUpdate } from '@posrep/spec'
import { toDevice } from '../devices/device.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import { getUser } from '../http/principal.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeliveryLog } from '../ports/log.ts'
import { type AddressPolicy, checkRelayAddress } from './address.ts'
import type { InFlight } from './in-flight.ts'
import type { RelayLimits } from './relay-limits.ts'
import type { SendRelayMessage } from './send-relay-message.ts'
import { validateRelay } from './validate-relay.ts'

export interface RelayOperationsOptions {
  devices: DeviceRegistry
  deliveryLog: DeliveryLog
  policy: AddressPolicy
  send: SendRelayMessage
  inFlight: InFlight
  limits: RelayLimits
  clock: Clock
}

export function relayOperations({
  devices,
  deliveryLog,
  policy,
  send,
  inFlight,
  limits,
  clock,
}: RelayOperationsOptions): Pick<Handlers, 'updateRelay'> {
  return {
    async updateRelay(request) {
      const { accountId } = getUser(request)
      const { id } = await devices.getOwned(request.path.deviceId, accountId)
      limits.countUpdate(accountId)
      const address = getAddress(request.body.url, policy)
      const sinceMs = clock.now()
      const validate = () => limits.whileSending(accountId, address.host, () => validateRelay(address, send))
      const details = await settled(request.body, validate)
      const changed = await devices.change(id, (current) => {
        // Validation takes its time, and an update that came later may have ended sooner.
        const isOvertaken = current.relay !== null && current.relay.sinceMs > sinceMs
        return isOvertaken ? current : { ...current, relay: { ...details, sinceMs } }
      })
      // Also what is on its way this very moment: after the answer nothing goes out that the relay as it was would get.
      await inFlight.abort(id)
      if (changed.relay?.state === 'Active') await deliveryLog.wake(id)
      return { status: 200, body: toDevice(changed, null) }
    },
  }
}

/** The relay as it is after the update: Active only if the address returned the validation code. */
async function settled(
  { url, state }: RelayUpdate,
  validate: () => Promise<string | undefined>,
): Promise<RelayDetails> {
  switch (state) {
    case 1: {
      const failureDescription = (await validate()) ?? null
      return { url, state: failureDescription === null ? 'Active' : 'Failed', failureDescription }
    }
    case 2:
      return { url, state: 'Inactive', failureDescription: null }
    case 3:
      return { url, state: 'Failed', failureDescription: 'Set by request' }
  }
}

function getAddress(text: string, policy: AddressPolicy): URL {
  const checked = checkRelayAddress(text, policy)
  if (checked.kind === 'allowed') return checked.url
  throw new ApiError('invalid_body', `"url" ${checked.reason}`, {
    errors: [{ pointer: '/url', code: 'relay_address', detail: checked.reason }],
  })
}
