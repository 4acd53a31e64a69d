/**
 * The pairing pages and their forms. In: a request. Out: the page or a redirect, built from the API's own operations.
 */

import { redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import { devicePath, pairingRequestPath, pairingStartPath } from '../layout/paths.ts'
import type { LivePage } from '../live-updates.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { pairingPage } from './pairing.tsx'

export interface PairingPagesOptions {
  visits: Visits
  origins: { ingest: string; ui: string }
  caFile: string | undefined
}

export function createPairingPages({ visits, origins, caFile }: PairingPagesOptions) {
  async function show({ viewer, call }: Visit, requestId: string) {
    const request = await call('getPairingRequest', { path: { pairingRequestId: requestId } })
    const device = await call('getDevice', { path: { deviceUrn: request.deviceId } })
    return pairingPage({ viewer, device, request, origins, caFile })
  }

  return {
    start: (visitor: Visitor, fields: FormFields) => {
      const deviceId = toText(fields.device_id)
      return visits.act(visitor, fields, `pair:${deviceId}`, pairingStartPath, async ({ call }) => {
        const request = await call('createPairingRequest', { body: { deviceId } })
        return redirectAnswer(303, pairingRequestPath(request.id))
      })
    },

    show: (visitor: Visitor, requestId: string) =>
      visits.show(visitor, pairingRequestPath(requestId), (visit) => show(visit, requestId)),

    cancel: (visitor: Visitor, requestId: string, fields: FormFields) =>
      visits.act(visitor, fields, `cancel:${requestId}`, pairingStartPath, async ({ call }) => {
        await call('cancelPairingRequest', { path: { pairingRequestId: requestId } })
        return redirectAnswer(303, pairingStartPath)
      }),

    /** The form token contains the device ID, so the form can revoke the tokens of that device only. */
    async revoke(visitor: Visitor, requestId: string, fields: FormFields) {
      const visit = await visits.find(visitor)
      const request = await visit?.call('getPairingRequest', { path: { pairingRequestId: requestId } })
      const deviceId = request?.deviceId ?? ''
      return visits.act(visitor, fields, `revoke:${deviceId}`, pairingRequestPath(requestId), async (current) => {
        await current.call('revokeDeviceTokens', { path: { deviceUrn: deviceId } })
        const text = 'The tokens of the device are revoked. Pair the device again when you have it with you.'
        return current.goWith(devicePath(deviceId), { notice: { text } })
      })
    },

    toLive: (requestId: string): LivePage => ({
      show: (visit) => show(visit, requestId),
      async watch({ call }) {
        const request = await call('getPairingRequest', { path: { pairingRequestId: requestId } })
        const { lastReportAt } = await call('getDevice', { path: { deviceUrn: request.deviceId } })
        return { request, lastReportAt }
      },
    }),
  }
}

export type PairingPages = ReturnType<typeof createPairingPages>
