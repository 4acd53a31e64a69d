/**
 * Finds, registers and changes devices, the service's records of sensors.
 * In: URNs and local IDs. Out: devices. `getOwned` treats a device of another account like an unknown one.
 * A sensor fetches its tokens by its local ID alone, and several accounts may have that. So a device that was
 * registered without an operator may be paired only if it was the first with its local ID (docs/decisions/0042). An
 * account keeps the right to a local ID for 30 days after it removed the device (`former-devices.ts`).
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Client, DeviceRecord, Directory, FormerDevice } from '../ports/storage/directory.ts'
import { createFormerDevices } from './former-devices.ts'
import { toUrn } from './local-id.ts'

export interface DeviceRegistry {
  find(urn: string): Promise<DeviceRecord | undefined>
  /** @throws ApiError `device_not_found` */
  getOwned(urn: string, accountId: string): Promise<DeviceRecord>
  /** Ordered by URN. */
  list(accountId: string, page?: { limit?: number; after?: string }): Promise<DeviceRecord[]>
  findByLocalId(accountId: string, localId: string): Promise<DeviceRecord | undefined>
  /** Without an operator. Returns the new device, or the account's existing device with this local ID. */
  registerItself(sensor: NewSensor): Promise<DeviceRecord>
  /**
   * Without an operator; all sensors or none. Returns the indexes of those that are taken. No two have the same local
   * ID.
   */
  registerWithoutOperator(sensors: NewSensor[]): Promise<number[]>
  /**
   * The devices of other accounts with the local ID of this one, also those of an import that has not ended, and those
   * that were removed and whose accounts still have the right to it.
   */
  findNamesakes(device: Pick<DeviceRecord, 'accountId' | 'localId'>): Promise<Namesake[]>
  /** The device of another account that had the local ID first, so that this one may not be paired. */
  findEarlierOwner(device: DeviceRecord): Promise<Namesake | undefined>
  /**
   * An operator's consent to pairing a device that another account's device precedes. @throws ApiError
   * `device_not_found`
   */
  allowPairing(urn: string): Promise<DeviceRecord>
  /** Applies `change` to the current record. @throws ApiError `device_not_found` */
  change(urn: string, change: (current: DeviceRecord) => DeviceRecord): Promise<DeviceRecord>
  /**
   * Blocks the device, ends its tokens, and removes it. If the process ends in between, no valid token is left, and the
   * call can be repeated. Its account keeps the right to the local ID for 30 days, unless it `releases` it. @throws
   * ApiError `device_not_found`
   */
  remove(urn: string, endTokens: () => Promise<void>, options?: { releases?: boolean }): Promise<DeviceRecord>
  /** Whether what the service accepted at this time was for a device of another account that had this URN before. */
  isOfFormerOwner(device: DeviceRecord, acceptedAtMs: number): Promise<boolean>
  /**
   * Whether the account can have more devices up to `limit`, of which those count that it removed in the last 91 days.
   */
  hasRoom(accountId: string, room: { limit: number; more: number }): Promise<boolean>
}

/** A device or a former device of another account. */
export type Namesake = Pick<FormerDevice, 'id' | 'accountId' | 'pairing' | 'createdAtMs'>

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
    pairing: 'allowed',
  }
}

export interface DeviceRegistryOptions {
  directory: Directory
  clock: Clock
  /** Called after a device was removed. It must not reject. */
  onRemoved?(device: DeviceRecord): Promise<void>
}

export function createDeviceRegistry({ directory, clock, onRemoved }: DeviceRegistryOptions): DeviceRegistry {
  const formerDevices = createFormerDevices({ directory, clock })

  async function findByLocalId(accountId: string, localId: string): Promise<DeviceRecord | undefined> {
    const devices = await directory.list('device', { where: { index: 'localId', equals: localId } })
    return devices.find((device) => device.accountId === accountId)
  }

  async function findClaims(localId: string): Promise<Namesake[]> {
    const where = { index: 'localId', equals: localId }
    // A device that is removed meanwhile is a former device before it leaves the list of devices.
    const devices = await directory.list('device', { where, withUnfinished: true })
    const former = await formerDevices.findClaims(localId)
    return [...devices, ...former.filter(({ accountId }) => !devices.some((device) => device.accountId === accountId))]
  }

  async function findNamesakes({ accountId, localId }: Pick<DeviceRecord, 'accountId' | 'localId'>) {
    return (await findClaims(localId)).filter((claim) => claim.accountId !== accountId)
  }

  /** Which right a device gets that is registered without an operator. */
  async function toPairingRight({ accountId, localId }: DeviceRecord): Promise<'first' | 'later'> {
    const claims = await findClaims(localId)
    const others = claims.filter((claim) => claim.accountId !== accountId)
    // An account that registers its former device again was before those that registered the local ID meanwhile.
    const hadRight = claims.length > others.length
    return others.length === 0 || (hadRight && others.every(({ pairing }) => pairing === 'later')) ? 'first' : 'later'
  }

  async function findEarlierOwner(device: DeviceRecord): Promise<Namesake | undefined> {
    if (device.pairing !== 'later') return undefined
    return (await findNamesakes(device)).find((other) => other.pairing !== 'later' || isEarlier(other, device))
  }

  /** The account's device with this local ID. @throws ApiError `unavailable` */
  async function getRegistered({ id, accountId, localId }: DeviceRecord): Promise<DeviceRecord> {
    const existing = await findByLocalId(accountId, localId)
    if (existing) return existing
    // The record belongs to a running import and is hidden until that ends.
    throw new ApiError('unavailable', `"${id}" is being registered; try again shortly`)
  }

  async function registerWithoutOperator(sensors: NewSensor[]): Promise<number[]> {
    const createdAtMs = clock.now()
    let devices = await Promise.all(
      sensors.map(async (sensor): Promise<DeviceRecord> => {
        const device = toDeviceRecord(sensor, createdAtMs)
        return { ...device, pairing: await toPairingRight(device) }
      }),
    )
    for (;;) {
      const conflicts = await directory.insertAll('device', devices)
      if (conflicts.length === 0) {
        await Promise.all(devices.map(yieldToOperator))
        await Promise.all(devices.map(formerDevices.forget))
      }
      if (!conflicts.some((index) => devices[index]?.pairing === 'first')) return conflicts
      // Another account may have registered the local ID since it was looked up.
      devices = devices.map((device, index) => (conflicts.includes(index) ? { ...device, pairing: 'later' } : device))
    }
  }

  /**
   * A second look: an operator may have registered the local ID for another account between the first look and the
   * insert.
   */
  async function yieldToOperator(device: DeviceRecord): Promise<void> {
    if (device.pairing !== 'first') return
    const namesakes = await findNamesakes(device)
    if (namesakes.every(({ pairing }) => pairing === 'later')) return
    // The unique value of a record cannot be changed.
    await directory.remove('device', device.id)
    await directory.insert('device', { ...device, pairing: 'later' })
  }

  async function change(urn: string, toNext: (current: DeviceRecord) => DeviceRecord): Promise<DeviceRecord> {
    const changed = await directory.update('device', urn, toNext)
    if (!changed) throw notFound(urn)
    return changed
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
    async registerItself(sensor) {
      await registerWithoutOperator([sensor])
      return getRegistered(toDeviceRecord(sensor, 0))
    },
    registerWithoutOperator,
    findNamesakes,
    findEarlierOwner,
    allowPairing: (urn) =>
      change(urn, (current) => (current.pairing === 'later' ? { ...current, pairing: 'allowed' } : current)),
    change,
    isOfFormerOwner: async ({ id, accountId, createdAtMs }, acceptedAtMs) =>
      acceptedAtMs < createdAtMs && (await formerDevices.isOfAnother(id, accountId)),
    async hasRoom(accountId, { limit, more }) {
      const where = { index: 'accountId', equals: accountId }
      const fits = async () => {
        const devices = await directory.count('device', { where })
        return devices + (await formerDevices.count(accountId)) + more <= limit
      }
      if (await fits()) return true
      await formerDevices.sweep(accountId)
      return fits()
    },
    async remove(urn, endTokens, { releases = false } = {}) {
      const blocked = await change(urn, (current) => ({ ...current, blocked: true }))
      await endTokens()
      const isReleased = releases || (await findEarlierOwner(blocked)) !== undefined
      await formerDevices.record(blocked, { isReleased })
      await directory.remove('device', urn)
      await onRemoved?.(blocked)
      return blocked
    },
  }
}

function isEarlier(a: Namesake, b: Namesake): boolean {
  return a.createdAtMs < b.createdAtMs || (a.createdAtMs === b.createdAtMs && a.id < b.id)
}

function notFound(urn: string): ApiError {
  return new ApiError('device_not_found', `No device "${urn.slice(0, 300)}" in this account`)
}
