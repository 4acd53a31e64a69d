/**
 * What scripts do to devices on a server's storage, as users do in the portal: look, set a relay, pair.
 * In: a device by its URN, or by its local ID where only one account has it. Out: views; AdminError for what cannot be.
 */

import { checkAccount } from './admin/account-admin.ts'
import { AdminError } from './admin/admin-error.ts'
import type { DeviceRegistry } from './devices/registry.ts'
import { loadKeys } from './identity/keys.ts'
import { signInThreadPool } from './identity/sign-in-thread-pool.ts'
import { createPairingRequests } from './pairing/pairing-request.ts'
import type { Clock } from './ports/clock.ts'
import type { DeviceRecord, Directory, Relay } from './ports/directory.ts'
import type { DeliveryLog } from './ports/log.ts'
import type { RelayChanges } from './ports/relay-changes.ts'
import type { Store } from './ports/store.ts'
import { checkRelayAddress } from './relays/address.ts'
import { findDropped } from './relays/dropped-deliveries.ts'
import { createRelayConnection } from './relays/relay-connection.ts'
import { createSendRelayMessage } from './relays/send-relay-message.ts'
import { validateRelay } from './relays/validate-relay.ts'
import type { Settings } from './setting-table.ts'

export interface DeviceView {
  urn: string
  localId: string
  name: string
  account: string
  storesReports: boolean
  relay: Omit<Relay, 'sinceMs'> | null
  /** Owed to the relay, and set aside. */
  pending: number
  buried: number
  /** Gave way to newer ones, of the address that the relay has now. */
  dropped: number
  firstDroppedAt: string | null
  lastDroppedAt: string | null
}

export interface PairingView {
  id: string
  urn: string
  clientUniqueId: string
  expiresAt: string
}

export type RelayStateName = 'active' | 'inactive' | 'failed'

export interface DeviceTools {
  list(options?: { account?: string | undefined }): Promise<DeviceView[]>
  /** `active` sends the validation first; the view tells whether the relay became Active. */
  setRelay(device: string, url: string, state: RelayStateName): Promise<DeviceView>
  /** Opens the window of 60 s in which the device gets its tokens. */
  pair(device: string): Promise<PairingView>
}

export interface DeviceToolsOptions {
  directory: Directory
  store: Store
  deliveryLog: DeliveryLog
  /** Where servers hear of it at once; others look again within a second. */
  relayChanges?: RelayChanges | undefined
  devices: DeviceRegistry
  clock: Clock
  settings: Pick<Settings, 'allowPrivateRelays' | 'relayPorts'>
  /** Also trusted, besides the system's authorities. */
  extraCa?: string | undefined
}

export function createDeviceTools(options: DeviceToolsOptions): DeviceTools {
  const { directory, store, deliveryLog, relayChanges, devices, clock, settings, extraCa } = options

  async function get(device: string): Promise<DeviceRecord> {
    const byUrn = await devices.find(device)
    const found = byUrn ? [byUrn] : await directory.list('device', { where: { index: 'localId', equals: device } })
    if (found[0] && found.length === 1) return found[0]
    if (found.length === 0) {
      throw new AdminError(
        'not_found',
        `There is no device "${device}"; "posrep-server devices list" shows those that are`,
      )
    }
    const urns = found.map(({ id }) => id).join(', ')
    throw new AdminError('conflict', `"${device}" is a device of more than one account; name one by its URN: ${urns}`)
  }

  async function toView({
    id,
    localId,
    name,
    accountId,
    storePositionReports,
    relay,
  }: DeviceRecord): Promise<DeviceView> {
    const [{ waiting, buried }, dropped] = await Promise.all([
      deliveryLog.depth(id),
      relay ? findDropped(store, id, relay.url) : undefined,
    ])
    const { sinceMs: _, ...shown } = relay ?? { sinceMs: 0 }
    return {
      urn: id,
      localId,
      name,
      account: accountId,
      storesReports: storePositionReports,
      // Without `sinceMs` it is the rest of a relay, if there is one.
      relay: relay ? (shown as Omit<Relay, 'sinceMs'>) : null,
      pending: waiting,
      buried,
      dropped: dropped?.deliveries ?? 0,
      firstDroppedAt: dropped ? new Date(dropped.firstAtMs).toISOString() : null,
      lastDroppedAt: dropped ? new Date(dropped.lastAtMs).toISOString() : null,
    }
  }

  /** Asks the address for its consent, as the server does. */
  async function validate(url: URL): Promise<string | undefined> {
    const keys = await loadKeys({ directory, clock })
    const policy = { allowPrivate: settings.allowPrivateRelays }
    const connection = createRelayConnection({ policy, extraCa })
    const sign = (text: Buffer) => signInThreadPool(null, text, keys.relayMessage.key)
    try {
      return await validateRelay(url, createSendRelayMessage({ connection, clock, sign }))
    } finally {
      await connection.close()
    }
  }

  return {
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      const where = account === undefined ? {} : { where: { index: 'accountId', equals: account } }
      return Promise.all((await directory.list('device', where)).map(toView))
    },
    async setRelay(device, url, state) {
      const { id } = await get(device)
      const policy = { allowPrivate: settings.allowPrivateRelays, ports: settings.relayPorts }
      const address = checkRelayAddress(url, policy)
      if (address.kind === 'refused') {
        const isPrivate = checkRelayAddress(url, { ...policy, allowPrivate: true }).kind === 'allowed'
        const way = isPrivate ? '; with "--allow-private-relays" this command takes it, too' : ''
        throw new AdminError('conflict', `The relay address "${url}" ${address.reason}${way}`)
      }
      const sinceMs = clock.now()
      const problem = state === 'active' ? await validate(address.url) : undefined
      const relay: Relay = { url, ...toState(state, problem), sinceMs }
      const changed = await devices.change(id, (current) => ({ ...current, relay }))
      await relayChanges?.announce(id)
      if (relay.state === 'Active') await deliveryLog.wake(id)
      return toView(changed)
    },
    async pair(device) {
      const requests = createPairingRequests({ store, clock })
      const { id, deviceUrn, localId, expiresAtMs } = await requests.start(await get(device))
      return { id, urn: deviceUrn, clientUniqueId: localId, expiresAt: new Date(expiresAtMs).toISOString() }
    },
  }
}

function toState(state: RelayStateName, problem: string | undefined): Pick<Relay, 'state' | 'failureDescription'> {
  if (state === 'inactive') return { state: 'Inactive', failureDescription: null }
  if (state === 'failed') return { state: 'Failed', failureDescription: 'Set by request' }
  return problem === undefined
    ? { state: 'Active', failureDescription: null }
    : { state: 'Failed', failureDescription: problem }
}
