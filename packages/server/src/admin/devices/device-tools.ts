/**
 * Operator commands on devices, for what users do in the portal: list devices, set and test a relay, pair, follow
 * reports.
 * In: a device by its URN, or by its local ID if only one account has it. Out: views; AdminError or ApiError with the
 * reason.
 */

import type { Audit } from '../../identity/audit.ts'
import { createPairingRequests, type PairingConsumer } from '../../pairing/pairing-request.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { RecentReports } from '../../ports/storage/recent-reports.ts'
import type { FeedReport, OpenReportFeed } from '../../ports/storage/report-feed.ts'
import type { Store } from '../../ports/storage/store.ts'
import { findDropped } from '../../relays/deliveries/dropped-deliveries.ts'
import { checkAccount } from '../account-admin.ts'
import { AdminError } from '../admin-error.ts'
import type { DeviceView, DeviceWithLastReport, PairingEnd, PairingView, RelayTestView } from './device-views.ts'
import { createRelayTools, type RelayStateName, type RelayToolsOptions } from './relay-tools.ts'

/** How often the storage is asked while a command waits. */
const pollEveryMs = 500

export interface DeviceTools {
  list(options?: { account?: string | undefined }): Promise<DeviceWithLastReport[]>
  get(device: string): Promise<DeviceWithLastReport>
  /**
   * `active` sends the validation first, and changes nothing if the address does not pass it.
   * @throws AdminError with the reason why nothing was changed; ApiError `too_many_requests` above the API's limits,
   * which count only the updates of this process.
   */
  setRelay(device: string, url: string, state: RelayStateName): Promise<DeviceView>
  /** Sends a test message to an Active relay at once. @throws AdminError if it is not Active */
  testRelay(device: string): Promise<RelayTestView>
  /** Opens the window of 60 s in which the device gets its tokens. */
  pair(device: string): Promise<PairingView>
  /** Resolves when the device got its tokens, or when the window has ended. */
  awaitPairing(pairing: PairingView): Promise<PairingEnd>
  /** Allows the pairing of a device whose local ID another account had first. */
  allowPairing(device: string): Promise<DeviceView>
  /** The reports that are stored from now on, of one device or of all, until `signal` aborts. */
  followReports(options: { device?: string | undefined; signal: AbortSignal }): AsyncGenerator<FeedReport>
}

export interface DeviceToolsOptions extends RelayToolsOptions {
  store: Store
  recentReports: Pick<RecentReports, 'metrics'>
  /** Default: reports cannot be followed. */
  openReportFeed?: OpenReportFeed | undefined
  audit: Audit
}

export function createDeviceTools(options: DeviceToolsOptions): DeviceTools {
  const { directory, store, deliveryLog, recentReports, openReportFeed, devices, clock, audit } = options

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
    const { id, localId, name, accountId, storePositionReports, tags, relay } = device
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
      tags: tags ?? [],
      relay: relay && { url: relay.url, state: relay.state, failureDescription: relay.failureDescription },
      pending: waiting,
      buried,
      dropped: dropped?.deliveries ?? 0,
      firstDroppedAt: dropped ? new Date(dropped.firstAtMs).toISOString() : null,
      lastDroppedAt: dropped ? new Date(dropped.lastAtMs).toISOString() : null,
      mayBePaired: !earlierOwner,
    }
  }

  async function withLastReport(device: DeviceRecord): Promise<DeviceWithLastReport> {
    const [view, metrics] = await Promise.all([toView(device), recentReports.metrics([device.id], 0)])
    const lastMs = metrics.get(device.id)?.lastReceivedAtMs
    return { ...view, lastReportAt: lastMs === undefined ? null : new Date(lastMs).toISOString() }
  }

  const relayTools = createRelayTools(options)
  const pairingRequests = createPairingRequests({ store, devices, clock, audit })

  return {
    async list({ account } = {}) {
      if (account !== undefined) await checkAccount(directory, account)
      const where = account === undefined ? {} : { where: { index: 'accountId', equals: account } }
      return Promise.all((await directory.list('device', where)).map(withLastReport))
    },
    setRelay: async (device, url, state) => toView(await relayTools.set(await get(device), url, state)),
    get: async (device) => withLastReport(await get(device)),
    testRelay: async (device) => relayTools.test(await get(device)),
    async pair(device) {
      const { id, deviceUrn, localId, expiresAtMs } = await pairingRequests.start(await get(device))
      return { id, urn: deviceUrn, clientUniqueId: localId, expiresAt: new Date(expiresAtMs).toISOString() }
    },
    async awaitPairing(pairing) {
      for (;;) {
        const isOver = clock.now() >= Date.parse(pairing.expiresAt)
        const { state = 'pending', consumedBy = null } = (await pairingRequests.find(pairing.id)) ?? {}
        if (state !== 'pending') return { ...pairing, state, consumedBy: consumedBy && toConsumer(consumedBy) }
        if (isOver) return { ...pairing, state: 'expired', consumedBy: null }
        await clock.sleep(pollEveryMs)
      }
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
    async *followReports({ device, signal }) {
      const feed = await openReportFeed?.(device === undefined ? undefined : (await get(device)).id)
      while (feed && !signal.aborted) {
        const reports = await feed.next()
        yield* reports
        if (reports.length === 0) await clock.sleep(pollEveryMs, signal)
      }
    },
  }
}

function toConsumer({ address, userAgent, atMs }: PairingConsumer): PairingEnd['consumedBy'] {
  return { address, userAgent, at: new Date(atMs).toISOString() }
}
