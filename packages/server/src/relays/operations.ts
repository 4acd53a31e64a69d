/** The HTTP operations of relays (specification, "Surveillance out": relay update). */
import { toDevice } from '../devices/device.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getUser } from '../http/operation/principal.ts'
import type { SetRelay } from './update/set-relay.ts'

export interface RelayOperationsOptions {
  devices: DeviceRegistry
  setRelay: SetRelay
}

export function relayOperations({ devices, setRelay }: RelayOperationsOptions) {
  return {
    async updateRelay(request) {
      const device = await devices.getOwned(request.path.deviceId, getUser(request).accountId)
      return { status: 200, body: toDevice(await setRelay(device, request.body), null) }
    },
    async changeRelayAddress(request) {
      const device = await devices.getOwned(request.path.deviceId, getUser(request).accountId)
      const changed = await setRelay(device, { url: request.body.url, state: 1 }, { onlyIfValid: true })
      return { status: 200, body: toDevice(changed, null) }
    },
  } satisfies Partial<Handlers>
}
