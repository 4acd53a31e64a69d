/** The pairing pages and their forms. In: a request. Out: the page or a redirect, built from the API's own operations. */

import { redirectAnswer } from '../../pages/answer.ts'
import { type FormFields, toText } from '../../pages/form-fields.ts'
import type { Visitor } from '../../web/cookies.ts'
import { devicePath, pairingRequestPath, pairingStartPath } from '../layout/paths.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { pairingPage } from './pairing.tsx'

export function createPairingPages({ visits, uiOrigin }: { visits: Visits; uiOrigin: string }) {
  return {
    start: (visitor: Visitor, fields: FormFields) => {
      const deviceId = toText(fields.device_id)
      return visits.act(visitor, fields, `pair:${deviceId}`, pairingStartPath, async ({ call }) => {
        const request = await call('createPairingRequest', { body: { deviceId } })
        return redirectAnswer(303, pairingRequestPath(request.id))
      })
    },

    show: (visitor: Visitor, requestId: string) =>
      visits.show(visitor, pairingRequestPath(requestId), async ({ viewer, call }) => {
        const request = await call('getPairingRequest', { path: { pairingRequestId: requestId } })
        const device = await call('getDevice', { path: { deviceUrn: request.deviceId } })
        return pairingPage({ viewer, device, request, uiOrigin })
      }),

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
      return visits.act(visitor, fields, `revoke:${deviceId}`, pairingRequestPath(requestId), async ({ call }) => {
        await call('revokeDeviceTokens', { path: { deviceUrn: deviceId } })
        return redirectAnswer(303, `${devicePath(deviceId)}?done=revoked`)
      })
    },

    watch: ({ call }: Visit, requestId: string): Promise<unknown> =>
      call('getPairingRequest', { path: { pairingRequestId: requestId } }),
  }
}

export type PairingPages = ReturnType<typeof createPairingPages>
