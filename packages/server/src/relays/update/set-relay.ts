/**
 * Sets the relay of a device, for the API, the portal and the command line (specification, "Surveillance out": relay
 * update; "States and transitions").
 * In: the device, and the address and state that its owner wants. Out: the device after the update.
 */
import type { RelayDetails, RelayUpdate } from '@posrep/spec'
import type { DeviceRegistry } from '../../devices/registry.ts'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { DeliveryLog } from '../../ports/storage/log.ts'
import { type AddressPolicy, checkRelayAddress } from '../sender/address.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import type { RelayLimits } from './relay-limits.ts'
import { validateRelay } from './validate-relay.ts'

export interface SetRelayChoice {
  /**
   * When the address does not pass the validation, change nothing and throw, instead of setting the relay to Failed.
   * Default false.
   */
  onlyIfValid?: boolean
}

/**
 * @throws ApiError `invalid_body` for an address that the policy refuses, `too_many_requests` beyond the limits, and
 * `relay_not_validated` with `onlyIfValid`.
 */
export type SetRelay = (device: DeviceRecord, update: RelayUpdate, choice?: SetRelayChoice) => Promise<DeviceRecord>

export interface SetRelayOptions {
  devices: Pick<DeviceRegistry, 'change'>
  deliveryLog: Pick<DeliveryLog, 'wake'>
  policy: AddressPolicy
  send: SendRelayMessage
  limits: RelayLimits
  clock: Clock
  /** Aborts the attempts in flight for the device, in every process; they send nothing afterwards. */
  endAttempts(deviceUrn: string): Promise<void>
}

export function createSetRelay(options: SetRelayOptions): SetRelay {
  const { devices, deliveryLog, policy, send, limits, clock, endAttempts } = options

  return async ({ id, accountId }, update, { onlyIfValid = false } = {}) => {
    limits.countUpdate(accountId)
    const address = getAddress(update.url, policy)
    const sinceMs = clock.now()
    const validate = () => limits.whileSending(accountId, address.host, () => validateRelay(address, id, send))
    const details = await finishUpdate(update, validate)
    if (onlyIfValid && details.failureDescription !== null) {
      throw new ApiError('relay_not_validated', details.failureDescription)
    }
    const changed = await devices.change(id, (current) => {
      // Validation takes up to 10 s. If a later update has finished first, it stays.
      const isOvertaken = current.relay !== null && current.relay.sinceMs > sinceMs
      return isOvertaken ? current : { ...current, relay: { ...details, sinceMs } }
    })
    // After the answer, nothing is sent to the earlier address.
    await endAttempts(id)
    if (changed.relay?.state === 'Active') await deliveryLog.wake(id)
    return changed
  }
}

/** Returns the relay after the update: Active only if the address returned the validation code. */
async function finishUpdate(
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
