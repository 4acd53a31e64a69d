/**
 * Finds, registers and changes devices, the service's records of sensors.
 * In: URNs and local IDs. Out: devices. `getOwned` treats a device of another account like an unknown one.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, DeviceRecord, Directory } from '../ports/storage/directory.ts'
import { toUrn } from './local-id.ts'

export interface DeviceRegistry {
  find(urn: string): Promise<DeviceRecord | undefined>
  /** @throws ApiError `device_not_found` */
  getOwned(urn: string, accountId: string): Promise<DeviceRecord>
  /** Ordered by URN. */
  list(accountId: string, page?: { limit?: number; after?: string }): Promise<DeviceRecord[]>
  findByLocalId(accountId: string, localId: string): Promise<DeviceRecord | undefined>
  /** Returns the new device, or the account's existing device with this local ID. */
  register(sensor: NewSensor): Promise<DeviceRecord>
  /** Applies `change` to the current record. @throws ApiError `device_not_found` */
  change(urn: string, change: (current: DeviceRecord) => DeviceRecord): Promise<DeviceRecord>
}

export interface NewSensor {
  client: Client
  localId: string
  /** Default: the local ID. */
  name?: string | undefined
}

export function toDeviceRecord({ client, localId, name = localId }: NewSensor, createdAtMs: number): DeviceRecord {
  return {
    id: toUrn(client.urnPart, localId),
    localId,
    name,
    accountId: client.accountId,
    clientId: client.id,
    createdAtMs,
    storePositionReports: true,
    relay: null,
    blocked: false,
  }
}

export function createDeviceRegistry({ directory, clock }: { directory: Directory; clock: Clock }): DeviceRegistry {
  async function findByLocalId(accountId: string, localId: string): Promise<DeviceRecord | undefined> {
    const devices = await directory.list('device', { where: { index: 'localId', equals: localId } })
    return devices.find((device) => device.accountId === accountId)
  }

  return {
    find: (urn) => directory.find('device', urn),
    async getOwned(urn, accountId) {
      const device = await directory.find('device', urn)
      if (device?.accountId !== accountId) throw notFound(urn)
      return device
    },
    list: (accountId, page = {}) =>
      directory.list('device', { where: { index: 'accountId', equals: accountId }, ...page }),
    findByLocalId,
    async register(sensor) {
      const device = toDeviceRecord(sensor, clock.now())
      if (await directory.insert('device', device)) return device
      const existing = await findByLocalId(device.accountId, device.localId)
      if (existing) return existing
      // The record belongs to a running import and is hidden until that ends.
      throw new ApiError('unavailable', `"${device.id}" is being registered; try again shortly`)
    },
    async change(urn, change) {
      const changed = await directory.update('device', urn, change)
      if (!changed) throw notFound(urn)
      return changed
    },
  }
}

function notFound(urn: string): ApiError {
  return new ApiError('device_not_found', `No device "${urn.slice(0, 300)}" in this account`)
}
