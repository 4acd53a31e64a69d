/**
 * Operator commands on devices, for what users do in the portal: list devices, set a relay, start pairing.
 * In: a device by its URN, or by its local ID if only one account has it. Out: views; AdminError or ApiError with the reason.
 */

import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Audit } from '../identity/audit.ts'
import { loadKeys } from '../identity/keys/keys.ts'
import { signAsync } from '../identity/keys/sign-async.ts'
import { createPairingRequests } from '../pairing/pairing-request.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord, Directory, Relay } from '../ports/storage/directory.ts'
import type { DeliveryLog } from '../ports/storage/log.ts'
import type { RelayChanges } from '../ports/storage/relay-changes.ts'
import type { Store } from '../ports/storage/store.ts'
import { findDropped } from '../relays/deliveries/dropped-deliveries.ts'
import { type AddressPolicy, checkRelayAddress } from '../relays/sender/address.ts'
import { createRelayConnection } from '../relays/sender/relay-connection.ts'
import { createSendRelayMessage, type SendRelayMessage } from '../relays/sender/send-relay-message.ts'
import { createRelayLimits } from '../relays/update/relay-limits.ts'
import { createSetRelay } from '../relays/update/set-relay.ts'
import { checkAccount } from './account-admin.ts'
import { AdminError } from './admin-error.ts'

export interface DeviceView {
  urn: string
  localId: string
  name: string
  account: string
  storesReports: boolean
  relay: Omit<Relay, 'sinceMs'> | null
  /** Messages waiting to be sent. */
  pending: number
  /** Buried messages, which can be resent. */
  buried: number
  /** Messages to the relay's present address that were dropped, because the backlog was full. */
  dropped: number
  firstDroppedAt: string | null
  lastDroppedAt: string | null
  /** False while another account, which had the local ID first, keeps it from being paired. */
  mayBePaired: boolean
}

export interface PairingView {
  id: string
  urn: string
  clientUniqueId: string
  expiresAt: string
}

/** The states of the command line, as the document numbers them. */
const relayStates = { active: 1, inactive: 2, failed: 3 } as const

export type RelayStateName = keyof typeof relayStates

export interface DeviceTools {
  list(options?: { account?: string | undefined }): Promise<DeviceView[]>
  /**
   * `active` sends the validation first; the view shows whether the relay became Active.
   * @throws ApiError `too_many_requests` above the API's limits, which count only the updates of this process.
   */
  setRelay(device: string, url: string, state: RelayStateName): Promise<DeviceView>
  /** Opens the window of 60 s in which the device gets its tokens. */
  pair(device: string): Promise<PairingView>
  /** Allows the pairing of a device whose local ID another account had first. */
  allowPairing(device: string): Promise<DeviceView>
}

export interface DeviceToolsOptions {
  directory: Directory
  store: Store
  deliveryLog: DeliveryLog
  /** Makes servers abort their attempts to the old address. Default: they read the new address within a second. */
  relayChanges?: RelayChanges | undefined
  devices: DeviceRegistry
  clock: Clock
  audit: Audit
  settings: {
    allowPrivateRelays: boolean
    relayPorts: number[]
    authOrigin?: string | undefined
    ingestOrigin?: string | undefined
    uiOrigin?: string | undefined
  }
  /** PEM certificates that relay connections trust besides the system's CAs. */
  extraCa?: string | undefined
}

export function createDeviceTools(options: DeviceToolsOptions): DeviceTools {
  const { directory, store, deliveryLog, relayChanges, devices, clock, audit, settings, extraCa } = options

  async function get(device: string): Promise<DeviceRecord> {
    const byUrn = await devices.find(device)
    const found = byUrn ? [byUrn] : await directory.list('device', { where: { index: 'localId', equals: device } })
    if (found[0] && found.length === 1) return found[0]
    if (found.length === 0) {
      throw new AdminError(
        'not_found',
        `There is no device "${device}"; "posrep-server devices list" shows all of them`,
      )
    }
    const urns = found.map(({ id }) => id).join(', ')
    throw new AdminError(
      'conflict',
      `"${device}" is the local ID of more than one device; give the URN of one: ${urns}`,
    )
  }

  async function toView(device: DeviceRecord): Promise<DeviceView> {
    const { id, localId, name, accountId, storePositionReports, relay } = device
    const [{ waiting, buried }, dropped, earlierOwner] = await Promise.all([
      deliveryLog.depth(id),
      relay ? findDropped(store, id, relay.url) : undefined,
      devices.findEarlierOwner(device),
    ])
    return {
      urn: id,
      localId,
      name,
      account: accountId,
      storesReports: storePositionReports,
      relay: relay && { url: relay.url, state: relay.state, failureDescription: relay.failureDescription },
      pending: waiting,
      buried,
      dropped: dropped?.deliveries ?? 0,
      firstDroppedAt: dropped ? new Date(dropped.firstAtMs).toISOString() : null,
      lastDroppedAt: dropped ? new Date(dropped.lastAtMs).toISOString() : null,
      mayBePaired: !earlierOwner,
    }
  }

  const origins = [settings.authOrigin, settings.ingestOrigin, settings.uiOrigin]
  const policy: AddressPolicy = {
    allowPrivate: settings.allowPrivateRelays,
    ports: settings.relayPorts,
    ownHosts: origins.flatMap((origin) => (origin === undefined ? [] : [new URL(origin).hostname])),
  }

  /** Opens a connection for each message, because most commands send none. */
  const send: SendRelayMessage = async (url, message) => {
    const keys = await loadKeys({ directory, clock })
    const connection = createRelayConnection({ policy, extraCa })
    const sign = (text: Buffer) => signAsync(null, text, keys.relayMessage.key)
    try {
      return await createSendRelayMessage({ connection, clock, sign })(url, message)
    } finally {
      await connection.close()
    }
  }

  const setRelay = createSetRelay({
    devices,
    deliveryLog,
    policy,
    send,
    limits: createRelayLimits({ clock }),
    clock,
    endAttempts: async (deviceUrn) => relayChanges?.announce(deviceUrn),
  })

  /** Names `--allow-private-relays` if the address would be accepted with it. */
  function toAdminError(error: unknown, url: string): unknown {
    if (!(error instanceof ApiError) || error.code !== 'invalid_body') return error
    const isPrivate = checkRelayAddress(url, { ...policy, allowPrivate: true }).kind === 'allowed'
    const hint = isPrivate ? '; with "--allow-private-relays" this command accepts it' : ''
    const reason = error.errors[0]?.detail
    return new AdminError('conflict', `The relay address "${url}" ${reason}${hint}`, { cause: error })
  }

  return {
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      const where = account === undefined ? {} : { where: { index: 'accountId', equals: account } }
      return Promise.all((await directory.list('device', where)).map(toView))
    },
    async setRelay(device, url, state) {
      const record = await get(device)
      const changed = await setRelay(record, { url, state: relayStates[state] }).catch((error) => {
        throw toAdminError(error, url)
      })
      return toView(changed)
    },
    async pair(device) {
      const requests = createPairingRequests({ store, devices, clock, audit })
      const { id, deviceUrn, localId, expiresAtMs } = await requests.start(await get(device))
      return { id, urn: deviceUrn, clientUniqueId: localId, expiresAt: new Date(expiresAtMs).toISOString() }
    },
    async allowPairing(device) {
      const record = await get(device)
      const earlierOwner = await devices.findEarlierOwner(record)
      if (!earlierOwner) return toView(record)
      const allowed = await devices.allowPairing(record.id)
      const otherUrns = (await devices.findNamesakes(allowed)).map(({ id }) => id)
      audit({ event: 'pairing-allowed', deviceUrn: allowed.id, otherUrns })
      return toView(allowed)
    },
  }
}
