/** The pages of devices and their forms. In: a request. Out: the page or a redirect, built from the API's own operations. */
import { createHash } from 'node:crypto'
import type { Device } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import { type PageAnswer, redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/form-fields.ts'
import { paginate } from '../../pages/page-links.tsx'
import type { Visitor } from '../../web/cookies.ts'
import { shownPerState } from '../deliveries/deliveries.tsx'
import { findDelivery, resentNotice } from '../deliveries/delivery-pages.ts'
import { devicePath, devicesPath, pairingStartPath } from '../layout/paths.ts'
import type { Viewer } from '../layout/portal-layout.tsx'
import type { Call } from '../visit/call.ts'
import { unsentReason, type Visit, type Visits } from '../visit/visit.ts'
import { type DeviceProps, devicePage, revokeTokensPage } from './device.tsx'
import { sortDevices, toDeviceOrder } from './device-order.ts'
import { type DeviceListProps, devicesPage, pairingStartPage } from './devices.tsx'
import { type Mend, readPositions } from './recent-positions.ts'

/** The maximum number of reports on a device's page, newest first. */
const recentReports = 200

const notices = {
  renamed: 'The device was renamed.',
  stored: 'The storage setting was saved.',
  active: 'The address returned the code: the relay is Active.',
  failed: 'The relay is Failed: it did not return the code. The reason is below, under Relay.',
  changed: 'The relay was changed.',
  tested: 'The relay accepted the test message.',
  'tested-failed': 'The relay did not accept the test message. Its answer is below, under Deliveries.',
  resent: resentNotice,
  revoked: 'The tokens of the device are revoked. Pair the device again when you have it with you.',
} as const

type Notice = keyof typeof notices

/** Notices of a failure. */
const failureNotices: readonly string[] = ['failed', 'tested-failed'] satisfies Notice[]

/** The metrics of the devices are cut to the last minute, by which devices are sorted: all metrics of all devices take too much memory. */
async function findDevices({ call }: Visit, wanted: string): Promise<Device[]> {
  const found: Device[] = []
  for await (const items of (await call('listDevices', {})).items()) {
    for (const item of items) {
      // The operation made it of a device.
      const device = JSON.parse(item) as Device
      const { deviceId, deviceName, positionReportMetrics } = device
      if (![deviceId, deviceName].some((text) => text.toLowerCase().includes(wanted))) continue
      found.push({ ...device, positionReportMetrics: positionReportMetrics?.slice(-1) ?? null })
    }
  }
  return found
}

export function createDevicePages({ visits, mend }: { visits: Visits; mend: Mend }) {
  async function list(visit: Visit, query: URLSearchParams, search: string): Promise<DeviceListProps> {
    const matching = await findDevices(visit, search.trim().toLowerCase())
    const order = toDeviceOrder(query.get('sort'))
    const { items, page, pages } = paginate(sortDevices(matching, order), query.get('page'))
    const devices = await Promise.all(
      items.map(({ deviceId }) => visit.call('getDevice', { path: { deviceUrn: deviceId } })),
    )
    return { viewer: visit.viewer, devices, matching: matching.length, search: search.trim(), order, page, pages }
  }

  async function show(
    { viewer, call }: { viewer: Viewer; call: Call },
    deviceId: string,
    more: Pick<DeviceProps, 'notice' | 'refusedRelay' | 'refusedName' | 'target'> & { openId?: string },
    status: PageAnswer['status'] = 200,
  ): Promise<PageAnswer> {
    const path = { deviceId }
    const { openId, ...rest } = more
    const readRecent = async () => {
      const list = await call('listRecentReports', { path, query: { limit: recentReports } })
      return readPositions(list, { mend, target: more.target })
    }
    const [device, recent, deliveries, open] = await Promise.all([
      call('getDevice', { path: { deviceUrn: deviceId } }),
      readRecent(),
      call('listDeliveries', { path, query: { limit: shownPerState } }),
      openId === undefined ? undefined : findDelivery(call, deviceId, openId),
    ])
    return devicePage({ viewer, device, recent, deliveries, open, ...rest }, status)
  }

  /** Submits a form of a device's page. When the API refuses the input, the page shows the reason and the typed text. */
  function act(
    visitor: Visitor,
    fields: FormFields,
    purpose: string,
    deviceId: string,
    action: (visit: Visit) => Promise<Notice>,
    refused: (reason: string) => Pick<DeviceProps, 'refusedRelay' | 'refusedName'> = () => ({}),
  ): Promise<PageAnswer> {
    return visits.act(visitor, fields, `${purpose}:${deviceId}`, devicePath(deviceId), async (visit) => {
      try {
        return redirectAnswer(303, `${devicePath(deviceId)}?done=${await action(visit)}`)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_body') throw error
        return show(visit, deviceId, refused(error.message), 400)
      }
    })
  }

  /** The text of a form that was sent after the session had ended, to be shown in its field again. */
  async function findUnsent(
    visit: Visit,
    deviceId: string,
  ): Promise<Pick<DeviceProps, 'refusedRelay' | 'refusedName'>> {
    const [relay, name] = await Promise.all([
      visit.findUnsent(`relay:${deviceId}`),
      visit.findUnsent(`name:${deviceId}`),
    ])
    return {
      ...(relay && { refusedRelay: { url: toText(relay.url), reason: unsentReason } }),
      ...(name && { refusedName: { name: toText(name.name), reason: unsentReason } }),
    }
  }

  return {
    showList: (visitor: Visitor, query: URLSearchParams) =>
      visits.show(visitor, devicesPath, async (visit) => devicesPage(await list(visit, query, query.get('q') ?? ''))),

    showPairingStart: (visitor: Visitor, query: URLSearchParams) => {
      const search = query.get('clientUniqueId') ?? ''
      // A user who scanned the QR code of a device returns to that device after signing in.
      const destination =
        search === '' ? '' : `?clientUniqueId=${encodeURIComponent(search.slice(0, 300).toWellFormed())}`
      return visits.show(visitor, `${pairingStartPath}${destination}`, async (visit) =>
        pairingStartPage(await list(visit, query, search)),
      )
    },

    show: (visitor: Visitor, deviceId: string, query: URLSearchParams) =>
      visits.show(visitor, devicePath(deviceId), async (visit) => {
        const openId = query.get('delivery')
        const notice = findNotice(query.get('done'))
        const target = query.get('target') ?? undefined
        const unsent = query.has('unsent') ? await findUnsent(visit, deviceId) : {}
        return show(visit, deviceId, { notice, target, ...(openId !== null && { openId }), ...unsent })
      }),

    setStorage: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'storage', deviceId, async ({ call }) => {
        const path = { deviceUrn: deviceId }
        const { shouldStorePositionReportMetrics: stores } = await call('getDevice', { path })
        if (stores === (fields.from === 'on')) await call('toggleStoringPositionReports', { path })
        return 'stored'
      }),

    setRelay: (visitor: Visitor, deviceId: string, fields: FormFields) => {
      const url = toText(fields.url)
      const state = fields.state === '2' ? 2 : 1
      return act(
        visitor,
        fields,
        'relay',
        deviceId,
        async ({ call }) => {
          const { relayDetails } = await call('updateRelay', { path: { deviceId }, body: { url, state } })
          if (relayDetails?.state === 'Active') return 'active'
          return relayDetails?.state === 'Failed' ? 'failed' : 'changed'
        },
        (reason) => ({ refusedRelay: { url, reason } }),
      )
    },

    rename: (visitor: Visitor, deviceId: string, fields: FormFields) => {
      const name = toText(fields.name)
      const refusedName = (reason: string) => ({ refusedName: { name, reason } })
      return act(
        visitor,
        fields,
        'name',
        deviceId,
        async ({ call }) => {
          await call('renameDevice', { path: { deviceUrn: deviceId }, body: { deviceName: name } })
          return 'renamed'
        },
        refusedName,
      )
    },

    sendTestMessage: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'test-message', deviceId, async ({ call }) => {
        const { state } = await call('sendTestMessage', { path: { deviceId } })
        return state === 'delivered' ? 'tested' : 'tested-failed'
      }),

    askRevoke: (visitor: Visitor, deviceId: string) =>
      visits.show(visitor, devicePath(deviceId, 'revoke'), async ({ viewer, call }) =>
        revokeTokensPage(viewer, await call('getDevice', { path: { deviceUrn: deviceId } })),
      ),

    revoke: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'revoke', deviceId, async ({ call }) => {
        await call('revokeDeviceTokens', { path: { deviceUrn: deviceId } })
        return 'revoked'
      }),

    /** The live list is reloaded when this value changes. */
    async watchList({ call }: Visit): Promise<unknown> {
      const digest = createHash('sha256')
      for await (const items of (await call('listDevices', {})).items()) digest.update(items.join())
      return digest.digest('base64')
    },

    /** The live parts of a device's page are reloaded when this value changes. */
    async watch({ call }: Visit, deviceId: string): Promise<unknown> {
      const path = { deviceId }
      return Promise.all([
        // Its metrics change with every report that is stored.
        call('getDevice', { path: { deviceUrn: deviceId } }),
        call('listDeliveries', { path, query: { limit: shownPerState } }),
      ])
    },
  }
}

export type DevicePages = ReturnType<typeof createDevicePages>

function findNotice(done: string | null): DeviceProps['notice'] {
  if (done === null || !Object.hasOwn(notices, done)) return undefined
  // `hasOwn` has checked that it is a key of `notices`.
  return { text: notices[done as Notice], isFailure: failureNotices.includes(done) }
}
