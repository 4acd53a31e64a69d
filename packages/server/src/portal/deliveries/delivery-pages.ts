/** The pages of a device's deliveries. In: a request. Out: the page or a redirect, built from the API's own operations. */
import type { Delivery } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import { redirectAnswer } from '../../pages/answer.ts'
import type { FormFields } from '../../pages/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import { deliveriesPath, devicePath } from '../layout/paths.ts'
import type { Call } from '../visit/call.ts'
import type { Visits } from '../visit/visit.ts'
import { deliveryListPage } from './delivery-list.tsx'

const perPage = 50

export const resentNotice = 'The message is queued for the relay again, after the messages that are waiting.'

export function createDeliveryPages({ visits }: { visits: Visits }) {
  return {
    showList(visitor: Visitor, deviceId: string, query: URLSearchParams) {
      const state = toState(query.get('state')) ?? 'pending'
      const after = query.get('after') ?? undefined
      const openId = query.get('delivery') ?? undefined
      return visits.show(visitor, deliveriesPath(deviceId, state), async ({ viewer, call }) => {
        const path = { deviceId }
        const [device, { data, pending, buried }, open] = await Promise.all([
          call('getDevice', { path: { deviceUrn: deviceId } }),
          // Reads one delivery more than the page shows, to know whether there is a next page.
          call('listDeliveries', { path, query: { state, limit: perPage + 1, ...(after !== undefined && { after }) } }),
          openId === undefined ? undefined : findDelivery(call, deviceId, openId),
        ])
        const deliveries = data.slice(0, perPage)
        const next = data.length > perPage ? deliveries.at(-1)?.id : undefined
        const notice = query.get('done') === 'resent' ? resentNotice : undefined
        return deliveryListPage({ viewer, device, state, deliveries, pending, buried, after, next, open, notice })
      })
    },

    resend: (visitor: Visitor, deviceId: string, fields: FormFields, deliveryId: string) =>
      visits.act(visitor, fields, `resend:${deliveryId}`, devicePath(deviceId), async ({ call }) => {
        await call('resendDelivery', { path: { deviceId, deliveryId } })
        const list = toState(fields.list)
        return redirectAnswer(
          303,
          list ? deliveriesPath(deviceId, list, { done: 'resent' }) : `${devicePath(deviceId)}?done=resent`,
        )
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

function toState(text: unknown): Delivery['state'] | undefined {
  return text === 'pending' || text === 'buried' || text === 'delivered' ? text : undefined
}
