/**
 * The page of a device and its forms. In: a request. Out: the page or a redirect, built from the API's own operations.
 */

import { toVisible } from '@posrep/kernel/visible'
import { ApiError } from '../../errors.ts'
import type { PageAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import type { Mend } from '../../ports/mend.ts'
import type { Visitor } from '../../web/cookies.ts'
import type { OwnMap } from '../air/air-map.tsx'
import { findSilence } from '../air/air-pages.ts'
import { shownPerState } from '../deliveries/deliveries.tsx'
import { findDelivery } from '../deliveries/delivery-pages.ts'
import { keepListQuery } from '../devices/device-list-pages.ts'
import { toReportState } from '../devices/device-state.ts'
import { readAccountState } from '../devices/read-account-state.ts'
import { devicePath, devicesPath, withQuery } from '../layout/paths.ts'
import type { PortalPage } from '../layout/portal-layout.tsx'
import type { LivePage } from '../live-updates.ts'
import type { Flash } from '../visit/flash.ts'
import { toKeptFields } from '../visit/kept-fields.ts'
import { unsentReason, type Visit, type Visits } from '../visit/visit.ts'
import { removeDevicePage, revokeTokensPage } from './confirm.tsx'
import { type DeviceProps, devicePage } from './device.tsx'
import { readPositions } from './recent-positions.ts'

/** The maximum number of reports on a device's page, newest first. */
const recentReports = 200

type FormOutcome = Pick<DeviceProps, 'notice' | 'refusedRelay' | 'refusedDetails'>

/** Errors that a form shows beside its field. */
const fieldErrors: readonly string[] = ['invalid_body', 'relay_not_validated'] satisfies ApiError['code'][]

export function createDevicePages({ visits, mend, ownMap }: { visits: Visits; mend: Mend; ownMap: OwnMap }) {
  async function show(
    visit: Visit,
    deviceId: string,
    query: URLSearchParams,
    outcome: FormOutcome = {},
  ): Promise<PortalPage> {
    const { viewer, call } = visit
    const path = { deviceId }
    const openId = query.get('delivery')
    const readRecent = async () =>
      readPositions(await call('listRecentReports', { path, query: { limit: recentReports } }), { mend })
    const [device, recent, deliveries, history, open, state] = await Promise.all([
      call('getDevice', { path: { deviceUrn: deviceId } }),
      readRecent(),
      call('listDeliveries', { path, query: { limit: shownPerState } }),
      call('getDeviceHistory', { path: { deviceUrn: deviceId } }),
      openId === null ? undefined : findDelivery(call, deviceId, openId),
      readAccountState(visit),
    ])
    const isSilent = toReportState(device, state) === 'silent'
    const kept = keepQuery(query)
    return devicePage({
      viewer,
      device,
      state,
      recent,
      deliveries,
      history,
      open,
      ownMap: state.sensors ? ownMap : undefined,
      silence: isSilent ? await findSilence(visit, deviceId) : undefined,
      query: kept,
      ...outcome,
    })
  }

  /**
   * Submits a form of a device. The next page says what became true. When the API refuses the input, that page shows
   * the reason and the typed text.
   */
  function act(
    visitor: Visitor,
    fields: FormFields,
    purpose: string,
    deviceId: string,
    action: (visit: Visit) => Promise<Flash['notice']>,
    back = devicePath(deviceId),
  ): Promise<PageAnswer> {
    const ofDevice = `${purpose}:${deviceId}`
    return visits.act(visitor, fields, ofDevice, devicePath(deviceId), async (visit) => {
      try {
        const notice = await action(visit)
        return visit.goWith(back, notice ? { notice } : {})
      } catch (error) {
        if (!(error instanceof ApiError) || !fieldErrors.includes(error.code)) throw error
        const kept = toKeptFields(ofDevice, fields)
        if (!kept) throw error
        // A body is checked before its device is looked up: nothing is kept about a device that the account does not
        // have.
        await visit.call('getDevice', { path: { deviceUrn: deviceId } })
        return visit.goWith(devicePath(deviceId), {
          refused: { purpose: ofDevice, fields: kept, reason: error.message, pointer: error.errors?.[0]?.pointer },
        })
      }
    })
  }

  /**
   * What the last form left for this page: its notice, or its text, which was refused or sent after the session had
   * ended.
   */
  async function findFormOutcome(visit: Visit, deviceId: string, query: URLSearchParams): Promise<FormOutcome> {
    const purposes = { relay: `relay:${deviceId}`, details: `details:${deviceId}` }
    if (query.has('unsent')) {
      const [relay, details] = await Promise.all(
        [purposes.relay, purposes.details].map((purpose) => visit.findUnsent(purpose)),
      )
      return {
        ...(relay && { refusedRelay: { url: toText(relay.url), reason: unsentReason } }),
        ...(details && {
          refusedDetails: {
            name: toText(details.name),
            tags: toText(details.tags),
            reason: unsentReason,
            field: 'name',
          },
        }),
      }
    }
    const { notice, refused } = (await visit.takeFlash(devicePath(deviceId), query)) ?? {}
    return {
      notice,
      ...(refused?.purpose === purposes.relay && {
        refusedRelay: { url: refused.fields.url ?? '', reason: refused.reason },
      }),
      ...(refused?.purpose === purposes.details && {
        refusedDetails: {
          name: refused.fields.name ?? '',
          tags: refused.fields.tags ?? '',
          reason: refused.reason,
          field: refused.pointer?.startsWith('/tags') ? 'tags' : 'name',
        },
      }),
    }
  }

  /** The list that the form is on; the page of the device if it is on none. */
  function toBack(deviceId: string, fields: FormFields): string {
    if (typeof fields.list !== 'string') return devicePath(deviceId)
    return withQuery(devicesPath, keepListQuery(new URLSearchParams(fields.list)))
  }

  return {
    show: (visitor: Visitor, deviceId: string, query: URLSearchParams) =>
      visits.show(visitor, devicePath(deviceId), async (visit) =>
        show(visit, deviceId, query, await findFormOutcome(visit, deviceId, query)),
      ),

    setStorage: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(
        visitor,
        fields,
        'storage',
        deviceId,
        async ({ call }) => {
          const path = { deviceUrn: deviceId }
          const { shouldStorePositionReportMetrics: stores, deviceName } = await call('getDevice', { path })
          const next = stores === (fields.from === 'on') ? await call('toggleStoringPositionReports', { path }) : stores
          return { text: `Storage is ${next ? 'on' : 'off'} for ${toVisible(deviceName)}.` }
        },
        toBack(deviceId, fields),
      ),

    changeAddress: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'relay', deviceId, async ({ call }) => {
        const url = toText(fields.url)
        await call('changeRelayAddress', { path: { deviceId }, body: { url } })
        return { text: `The address returned the code. Reports are forwarded to ${url} now.` }
      }),

    setRelayState: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'relay-state', deviceId, async ({ call }) => {
        const body = { url: toText(fields.url), state: fields.state === '2' ? 2 : 1 } as const
        const { relayDetails } = await call('updateRelay', { path: { deviceId }, body })
        if (relayDetails?.state === 'Inactive') return { text: 'The relay is Inactive: nothing is forwarded.' }
        if (relayDetails?.state === 'Active') return { text: 'The address returned the code: the relay is Active.' }
        return {
          text: `The relay is Failed: ${relayDetails?.failureDescription ?? 'it did not return the code'}.`,
          isFailure: true,
        }
      }),

    setDetails: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(
        visitor,
        fields,
        'details',
        deviceId,
        async ({ call }) => {
          const tags = toText(fields.tags)
            .split(/[\s,]+/)
            .filter((tag) => tag !== '')
          const body = { deviceName: toText(fields.name), tags }
          const changed = await call('changeDevice', { path: { deviceUrn: deviceId }, body })
          const now = (changed.tags ?? []).join(' ')
          return {
            text: `Saved: ${toVisible(changed.deviceName)}, ${now === '' ? 'no tags' : `tags ${toVisible(now)}`}.`,
          }
        },
        toBack(deviceId, fields),
      ),

    sendTestMessage: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'test-message', deviceId, async ({ call }) => {
        const { state, attempts } = await call('sendTestMessage', { path: { deviceId } })
        const last = attempts.at(-1)
        if (state === 'delivered') {
          return {
            text: `The relay accepted the test message with ${last?.status} in ${last?.durationMilliseconds} ms.`,
          }
        }
        return { text: `The relay did not accept the test message: ${last?.reason ?? 'no answer'}.`, isFailure: true }
      }),

    retry: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'retry', deviceId, async ({ call }) => {
        await call('retryRelay', { path: { deviceId } })
        return { text: 'The waiting messages are being sent now.' }
      }),

    askRevoke: (visitor: Visitor, deviceId: string) =>
      visits.show(visitor, devicePath(deviceId, 'revoke'), async ({ viewer, call }) =>
        revokeTokensPage(viewer, await call('getDevice', { path: { deviceUrn: deviceId } })),
      ),

    revoke: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(visitor, fields, 'revoke', deviceId, async ({ call }) => {
        await call('revokeDeviceTokens', { path: { deviceUrn: deviceId } })
        return { text: 'The tokens of the device are revoked. Pair the device again when you have it with you.' }
      }),

    askRemove: (visitor: Visitor, deviceId: string) =>
      visits.show(visitor, devicePath(deviceId, 'remove'), async ({ viewer, call }) =>
        removeDevicePage(viewer, await call('getDevice', { path: { deviceUrn: deviceId } })),
      ),

    remove: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      act(
        visitor,
        fields,
        'remove',
        deviceId,
        async ({ call }) => {
          const path = { deviceUrn: deviceId }
          const { deviceName } = await call('getDevice', { path })
          await call('removeDevice', { path, query: { releaseLocalId: fields.release_local_id === 'on' } })
          return { text: `${toVisible(deviceName)} was removed.` }
        },
        devicesPath,
      ),

    toLive: (deviceId: string, query: URLSearchParams): LivePage => ({
      show: (visit) => show(visit, deviceId, keepQuery(query)),
      async watch({ call }) {
        const path = { deviceId }
        return Promise.all([
          // Its metrics change with every report that is stored.
          call('getDevice', { path: { deviceUrn: deviceId } }),
          call('listDeliveries', { path, query: { limit: shownPerState } }),
        ])
      },
    }),
  }
}

export type DevicePages = ReturnType<typeof createDevicePages>

/** The delivery whose message is open, and whether all targets are listed. */
function keepQuery(query: URLSearchParams): URLSearchParams {
  const delivery = query.get('delivery')
  const kept = new URLSearchParams(delivery === null ? [] : [['delivery', delivery.slice(0, 128)]])
  if (query.get('targets') === 'all') kept.set('targets', 'all')
  return kept
}
