/**
 * The pages of a device's deliveries. In: a request. Out: the page or a redirect, built from the API's own operations.
 */
import type { Delivery } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { FormFields } from '../../pages/forms/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import { deliveriesPath, devicePath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Call } from '../visit/call.ts'
import type { Flash } from '../visit/flash.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { deliveryListPage } from './delivery-list.tsx'

const perPage = 25
/** Deliveries per call while a message is searched. The backlogs of relays are bounded, so all of them are searched. */
const perSearchPage = 200
const states = ['pending', 'buried', 'delivered'] as const

export function createDeliveryPages({ visits }: { visits: Visits }) {
  async function show({ viewer, call }: Visit, deviceId: string, query: URLSearchParams, flash?: Flash) {
    const path = { deviceId }
    const state = toState(query.get('state')) ?? 'pending'
    const after = query.get('after') ?? undefined
    const wanted = query.get('delivery')?.trim()
    const [device, { data, pending, buried }, open] = await Promise.all([
      call('getDevice', { path: { deviceUrn: deviceId } }),
      // Reads one delivery more than the page shows, to know whether there is a next page.
      call('listDeliveries', { path, query: { state, limit: perPage + 1, ...(after !== undefined && { after }) } }),
      wanted ? findByAnyId(call, deviceId, wanted) : undefined,
    ])
    const deliveries = data.slice(0, perPage)
    const next = data.length > perPage ? deliveries.at(-1)?.id : undefined
    const missing = wanted && !open ? wanted : undefined
    const { notice } = flash ?? {}
    // Updates of the page do not search again.
    const kept = keepQuery(query, open?.id)
    const list = { state, deliveries, pending, buried, after, next }
    return deliveryListPage({ viewer, device, ...list, open, missing, notice, query: kept })
  }

  return {
    showList: (visitor: Visitor, deviceId: string, query: URLSearchParams) =>
      visits.show(visitor, deliveriesPath(deviceId, toState(query.get('state')) ?? 'pending'), async (visit) =>
        show(visit, deviceId, query, await visit.takeFlash(devicePath(deviceId, 'deliveries'), query)),
      ),

    resend: (visitor: Visitor, deviceId: string, fields: FormFields, deliveryId: string) =>
      visits.act(visitor, fields, `resend:${deliveryId}`, devicePath(deviceId), async (visit) => {
        await visit.call('resendDelivery', { path: { deviceId, deliveryId } })
        const list = toState(fields.list)
        const back = list ? deliveriesPath(deviceId, list) : devicePath(deviceId)
        const text = 'The message is queued for the relay again, after the messages that are waiting.'
        return visit.goWith(back, { notice: { text } })
      }),

    resendBuried: (visitor: Visitor, deviceId: string, fields: FormFields) =>
      visits.act(visitor, fields, `resend-buried:${deviceId}`, devicePath(deviceId), async (visit) => {
        const { resent, buried } = await visit.call('resendBuriedDeliveries', { path: { deviceId } })
        const text = toResentText(resent, buried)
        return visit.goWith(deliveriesPath(deviceId, buried === 0 ? 'pending' : 'buried'), { notice: { text } })
      }),

    toLive: (deviceId: string, query: URLSearchParams): LivePage => ({
      show: (visit) => show(visit, deviceId, query),
      watch({ call }) {
        const state = toState(query.get('state')) ?? 'pending'
        return call('listDeliveries', { path: { deviceId }, query: { state, limit: perPage + 1 } })
      },
    }),
  }
}

export type DeliveryPages = ReturnType<typeof createDeliveryPages>

export async function findDelivery(call: Call, deviceId: string, deliveryId: string): Promise<Delivery | undefined> {
  try {
    return await call('getDelivery', { path: { deviceId, deliveryId } })
  } catch (error) {
    // The delivery ended and is no longer in the history.
    if (error instanceof ApiError && error.code.endsWith('not_found')) return undefined
    throw error
  }
}

/**
 * The delivery with this ID, or the first whose message has it: of those that are delivered, then pending, then set
 * aside.
 */
async function findByAnyId(call: Call, deviceId: string, id: string): Promise<Delivery | undefined> {
  if (/^dl_[\w-]{1,100}$/.test(id)) return findDelivery(call, deviceId, id)
  const isWanted = ({ messageId }: Delivery) => messageId === id || messageId.endsWith(`/${id}`)
  for (const state of ['delivered', 'pending', 'buried'] as const) {
    for (let after: string | undefined; ; ) {
      const query = { state, limit: perSearchPage, ...(after !== undefined && { after }) }
      const { data } = await call('listDeliveries', { path: { deviceId }, query })
      const found = data.find(isWanted)
      if (found) return findDelivery(call, deviceId, found.id)
      if (state === 'delivered' || data.length < perSearchPage) break
      after = data.at(-1)?.id
    }
  }
  return undefined
}

function toResentText(resent: number, left: number): string {
  const [queued, all] = [resent, resent + left].map((count) => count.toLocaleString('en'))
  if (left === 0) return `${queued} ${resent === 1 ? 'message is' : 'messages are'} queued for the relay again.`
  if (resent === 0) return 'No message is queued again: as many messages as this server keeps for a relay are waiting.'
  return `${queued} of ${all} messages are queued for the relay again. Press Resend all again for the rest.`
}

function toState(text: unknown): Delivery['state'] | undefined {
  return states.find((state) => state === text)
}

function keepQuery(query: URLSearchParams, openId = ''): URLSearchParams {
  const kept = (['state', 'after'] as const).map((name): [string, string] => [name, query.get(name) ?? ''])
  kept.push(['delivery', openId])
  return new URLSearchParams(kept.filter(([, value]) => value !== '' && value.length <= 1_000))
}
