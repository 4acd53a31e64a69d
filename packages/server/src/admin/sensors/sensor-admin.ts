/**
 * Operator commands on sensors.
 * In: validated entries; a URN, or a local ID that only one account has. Out: views; AdminError for conflicts.
 * Commands that stop a sensor also revoke its tokens.
 */

import { type DeviceRegistry, toDeviceRecord } from '../../devices/registry.ts'
import type { Audit } from '../../identity/audit.ts'
import type { Revocations } from '../../identity/revocation/revocations.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Client, DeviceRecord, Directory } from '../../ports/storage/directory.ts'
import { checkAccount } from '../account-admin.ts'
import { AdminError } from '../admin-error.ts'
import { unknownClient } from '../client-admin.ts'
import type { SensorEntry } from '../entries.ts'
import { whereAccount } from '../owned-records.ts'
import { type RegisteredSensorView, type SensorView, toSensorView } from '../views.ts'
import { auditConsent } from './audit-consent.ts'

export interface SensorAdmin {
  /** The sensor may be paired, even if other accounts have its local ID. */
  add(entry: SensorEntry): Promise<RegisteredSensorView>
  list(options?: { account?: string | undefined; client?: string | undefined }): Promise<SensorView[]>
  rename(sensor: string, name: string): Promise<SensorView>
  /** The sensor gets no more tokens, and the tokens that it has are revoked. */
  block(sensor: string): Promise<SensorView>
  unblock(sensor: string): Promise<SensorView>
  /**
   * Its tokens are revoked and its pending deliveries are buried. The local ID can be registered again; other accounts
   * cannot pair it for 30 days, unless it is released.
   */
  remove(sensor: string, options?: { releases?: boolean }): Promise<SensorView>
}

export interface SensorAdminOptions {
  directory: Directory
  devices: DeviceRegistry
  clock: Clock
  revoke: Revocations['revoke']
  audit: Audit
}

export function sensorAdmin({ directory, devices, clock, revoke, audit }: SensorAdminOptions): SensorAdmin {
  async function getDevice(sensor: string): Promise<DeviceRecord> {
    if (sensor.startsWith('urn:')) return (await devices.find(sensor)) ?? unknownSensor(sensor)
    const [device, another] = await directory.list('device', { where: { index: 'localId', equals: sensor }, limit: 2 })
    if (!device) return unknownSensor(sensor)
    if (!another) return device
    throw new AdminError(
      'conflict',
      `Several accounts have a sensor "${sensor}"; name it by its URN, such as "${device.id}" or "${another.id}"`,
    )
  }

  async function change(sensor: string, part: Partial<Pick<DeviceRecord, 'name' | 'blocked'>>): Promise<DeviceRecord> {
    const { id } = await getDevice(sensor)
    const changed = await directory.update('device', id, (current) => ({ ...current, ...part }))
    return changed ?? unknownSensor(sensor)
  }

  async function block(sensor: string): Promise<DeviceRecord> {
    const device = await change(sensor, { blocked: true })
    await revoke(`device:${device.id}`)
    return device
  }

  return {
    add: (entry) => addSensor(entry, { directory, devices, clock, audit }),
    async list({ account, client } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      if (client === undefined) return (await directory.list('device', whereAccount(account))).map(toSensorView)
      if (!(await directory.find('client', client))) throw unknownClient(client)
      const found = await directory.list('device', { where: { index: 'clientId', equals: client } })
      return found.filter(({ accountId }) => account === undefined || accountId === account).map(toSensorView)
    },
    rename: async (sensor, name) => toSensorView(await change(sensor, { name })),
    block: async (sensor) => toSensorView(await block(sensor)),
    unblock: async (sensor) => toSensorView(await change(sensor, { blocked: false })),
    async remove(sensor, options) {
      const { id } = await getDevice(sensor)
      return toSensorView(await devices.remove(id, () => revoke(`device:${id}`), options))
    },
  }
}

/** @throws AdminError `not_found` for the client, or `taken` */
export async function addSensor(
  { client: clientId, localId, name }: SensorEntry,
  { directory, devices, clock, audit }: Omit<SensorAdminOptions, 'revoke'>,
): Promise<RegisteredSensorView> {
  const client = await directory.find('client', clientId)
  if (!client) throw unknownClient(clientId)
  const device = toDeviceRecord({ client, localId, name }, clock.now())
  if (await directory.insert('device', device)) return announceRegistered(device, { devices, audit })
  throw new AdminError(
    'taken',
    `Nothing was registered: ${describeTaken(device, await findTaken(devices, client, localId))}`,
  )
}

export async function announceRegistered(
  device: DeviceRecord,
  { devices, audit }: { devices: DeviceRegistry; audit: Audit },
): Promise<RegisteredSensorView> {
  const namesakes = await auditConsent(device, { devices, audit })
  return { ...toSensorView(device), alsoIn: namesakes.map(({ accountId }) => accountId) }
}

/** The device that has the local ID in the client's account, or the URN in another account. */
export async function findTaken(
  devices: DeviceRegistry,
  client: Client,
  localId: string,
): Promise<DeviceRecord | undefined> {
  const { id } = toDeviceRecord({ client, localId }, 0)
  return (await devices.findByLocalId(client.accountId, localId)) ?? devices.find(id)
}

export function describeTaken({ localId, accountId }: DeviceRecord, existing: DeviceRecord | undefined): string {
  if (existing && existing.accountId !== accountId) {
    return `the URN "${existing.id}" belongs to the account "${existing.accountId}"; use a client with another urnPart`
  }
  const owner = existing ? `, as "${existing.id}" of client "${existing.clientId}"` : ''
  return `the sensor "${localId}" is already registered in the account "${accountId}"${owner}`
}

function unknownSensor(sensor: string): never {
  throw new AdminError('not_found', `There is no sensor "${sensor}"; to list the sensors: posrep-server sensors list`)
}
