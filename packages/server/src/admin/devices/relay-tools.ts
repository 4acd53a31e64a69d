/**
 * Sets and tests the relay of a device from the command line, with the rules and checks of the API.
 * In: the device's record. Out: the record after the update, or the test message and its answer; AdminError or ApiError
 * with the reason.
 */

import type { DeviceRegistry } from '../../devices/registry.ts'
import { ApiError } from '../../errors.ts'
import { loadKeys } from '../../identity/keys/keys.ts'
import { signAsync } from '../../identity/keys/sign-async.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord, Directory } from '../../ports/storage/directory.ts'
import type { DeliveryLog } from '../../ports/storage/log.ts'
import type { RecentDeliveries } from '../../ports/storage/recent-deliveries.ts'
import type { RelayChanges } from '../../ports/storage/relay-changes.ts'
import { createSendTest } from '../../relays/deliveries/send-test.ts'
import { type AddressPolicy, checkRelayAddress } from '../../relays/sender/address.ts'
import { createSendRelayMessage, type SendRelayMessage } from '../../relays/sender/send-relay-message.ts'
import { createRelayLimits } from '../../relays/update/relay-limits.ts'
import { createSetRelay } from '../../relays/update/set-relay.ts'
import { AdminError } from '../admin-error.ts'
import type { RelayTestView } from './device-views.ts'
import { adviseOnRelay } from './relay-advice.ts'

/** The states of the command line, as the document numbers them. */
const relayStates = { active: 1, inactive: 2, failed: 3 } as const

export type RelayStateName = keyof typeof relayStates

export interface RelayTools {
  /** `active` sends the validation first; a relay that does not pass changes nothing. @throws AdminError */
  set(device: DeviceRecord, url: string, state: RelayStateName): Promise<DeviceRecord>
  /** Sends a test message to an Active relay at once. @throws AdminError */
  test(device: DeviceRecord): Promise<RelayTestView>
}

export interface RelayToolsOptions {
  directory: Directory
  deliveryLog: DeliveryLog
  recentDeliveries: Pick<RecentDeliveries, 'keep'>
  /** Makes servers abort their attempts to the old address. Default: they read the new address within a second. */
  relayChanges?: RelayChanges | undefined
  devices: DeviceRegistry
  clock: Clock
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

export function createRelayTools(options: RelayToolsOptions): RelayTools {
  const { directory, deliveryLog, recentDeliveries, relayChanges, devices, clock, settings, extraCa } = options

  const origins = [settings.authOrigin, settings.ingestOrigin, settings.uiOrigin]
  const policy: AddressPolicy = {
    allowPrivate: settings.allowPrivateRelays,
    ports: settings.relayPorts,
    ownHosts: origins.flatMap((origin) => (origin === undefined ? [] : [new URL(origin).hostname])),
  }

  /** Opens a connection for each message, because most commands send none. */
  const send: SendRelayMessage = async (url, message) => {
    // Loaded here, so that the other commands start quickly.
    const { createRelayConnection } = await import('../../relays/sender/relay-connection.ts')
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
  const sendTest = createSendTest({ send, clock, record: (sent) => recentDeliveries.keep([sent]) })

  /** Says what stays as it is, or names `--allow-private-relays` if the address would be accepted with it. */
  async function toAdminError(error: unknown, { id }: DeviceRecord, url: string): Promise<unknown> {
    if (!(error instanceof ApiError)) return error
    if (error.code === 'relay_not_validated') {
      const { relay = null } = (await devices.find(id)) ?? {}
      const kept = relay ? `stays ${relay.state}: ${relay.url}` : 'is still none'
      const reason = `did not pass the validation: ${error.message}; ${adviseOnRelay(error.message)}`
      const message = `The address "${url}" ${reason}. Nothing was changed: the relay of "${id}" ${kept}`
      return new AdminError('conflict', message, { cause: error })
    }
    if (error.code !== 'invalid_body') return error
    const isPrivate = checkRelayAddress(url, { ...policy, allowPrivate: true }).kind === 'allowed'
    const hint = isPrivate ? '; with "--allow-private-relays" this command accepts it' : ''
    const reason = error.errors[0]?.detail
    return new AdminError('conflict', `The relay address "${url}" ${reason}${hint}`, { cause: error })
  }

  return {
    async set(device, url, state) {
      try {
        return await setRelay(device, { url, state: relayStates[state] }, { onlyIfValid: state === 'active' })
      } catch (error) {
        throw await toAdminError(error, device, url)
      }
    },
    async test(device) {
      if (device.relay?.state !== 'Active') {
        const current = device.relay ? `is ${device.relay.state}, not Active` : 'is not set'
        const command = `posrep-server devices relay set ${device.id} ${device.relay?.url ?? 'https://…'}`
        throw new AdminError('conflict', `The relay of "${device.id}" ${current}; to set it: ${command}`)
      }
      const { deviceUrn, messageId, state, attempts, reason } = await sendTest(device)
      const [{ url = '', status = null, durationMs = 0 } = {}] = attempts
      return {
        urn: deviceUrn,
        url,
        messageId,
        accepted: state === 'delivered',
        status,
        durationMilliseconds: durationMs,
        reason,
        advice: reason === null ? null : adviseOnRelay(reason),
      }
    },
  }
}
