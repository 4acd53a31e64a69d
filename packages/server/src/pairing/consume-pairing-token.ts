/**
 * Gives a headless sensor the tokens of its pairing request (specification, "Surveillance ingest": consume-token).
 * In: the local ID that the sensor calls with, and its address. Out: tokens, for exactly one caller of each request.
 */
import { isLocalId, type SensorIdPolicy } from '../devices/local-id.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import { createThrottle, networkOf } from '../http/throttle.ts'
import type { DeviceTokens, Identity } from '../identity/identity.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { SharedCounts } from '../ports/storage/shared-counts.ts'
import type { PairingCaller, PairingRequestRecord, PairingRequests } from './pairing-request.ts'

export interface ConsumePairingTokenOptions {
  pairingRequests: Pick<PairingRequests, 'consume' | 'isUncontested'>
  devices: Pick<DeviceRegistry, 'find' | 'findEarlierOwner'>
  issueDeviceTokens: Identity['issueDeviceTokens']
  /** Called after tokens were issued. Default: ignored. */
  onPaired?: (deviceUrn: string, by: PairingCaller) => void
  /** Revokes all tokens of the device. */
  revokeTokens(deviceUrn: string): Promise<void>
  sensorIdPolicy: SensorIdPolicy
  clock: Clock
  /** Default: this process counts alone. */
  sharedCounts?: SharedCounts | undefined
}

export interface ConsumedPairing {
  request: PairingRequestRecord
  device: DeviceRecord
  tokens: DeviceTokens
}

/**
 * @throws ApiError `invalid_request` for a malformed ID, `too_many_requests`, `pairing_not_found` when nothing is
 * pending.
 */
export type ConsumePairingToken = (localId: string, caller: PairingCaller) => Promise<ConsumedPairing>

export function createConsumePairingToken(options: ConsumePairingTokenOptions): ConsumePairingToken {
  const { pairingRequests, devices, issueDeviceTokens, onPaired = () => {}, revokeTokens, sensorIdPolicy } = options
  const { clock, sharedCounts } = options
  // A device asks once a second, and hundreds of devices may share one address.
  const perSecond = { clock, windowMs: 1_000, message: 'Too many requests for pairing tokens' }
  // The steps are so large that a device that asks once a second, or a flood of IDs, writes nothing per request.
  const shared = (name: string, step: number) => sharedCounts && { counts: sharedCounts, name, step }
  const byCaller = createThrottle({ ...perSecond, limit: 1_000, shared: shared('consume-token', 100) })
  const byCallerAndId = createThrottle({ ...perSecond, limit: 5, shared: shared('consume-token-of-id', 2) })

  /** @throws ApiError `too_many_requests` */
  function countAttempt(address: string, localId: string): void {
    const network = networkOf(address)
    byCaller.check(network)
    byCaller.count(network)
    const key = `${network} ${localId}`
    byCallerAndId.check(key)
    byCallerAndId.count(key)
  }

  return async (localId, caller) => {
    if (!isLocalId(localId, sensorIdPolicy)) {
      throw new ApiError('invalid_request', '"clientUniqueId" must be 1 to 255 letters and digits', {
        errors: [{ pointer: '/query/clientUniqueId', code: 'pattern', detail: 'must be 1 to 255 letters and digits' }],
      })
    }
    countAttempt(caller.address, localId)
    const request = await pairingRequests.consume(localId, caller)
    const device = request && (await devices.find(request.deviceUrn))
    // An operator may have registered the local ID for another account at the moment when this device was registered.
    if (!request || !device || (await devices.findEarlierOwner(device))) throw notPending()
    const tokens = await issueDeviceTokens(device)
    // Another caller may have contested the request after `consume`, before these tokens were issued.
    if (!(await pairingRequests.isUncontested(request))) {
      await revokeTokens(device.id)
      throw notPending()
    }
    onPaired(device.id, caller)
    return { request, device, tokens }
  }
}

function notPending(): ApiError {
  return new ApiError('pairing_not_found', 'No pairing request is pending for this clientUniqueId')
}
