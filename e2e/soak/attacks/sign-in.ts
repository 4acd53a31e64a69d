/** Requests for authorization without a session, with the longest `state` that is accepted: what is kept for each travels sealed. */
import { mapView, redirectUri } from '../../seed.ts'
import type { Attack } from './attack.ts'
import { repeat, requestsTo } from './requests.ts'

const stateBytes = 2_048

export const signInFlood: Attack = async ({ ready, certificate }, started, stopping) => {
  const get = requestsTo(ready.authOrigin, certificate.ca, 32)
  started()
  await Promise.all(
    repeat(32, stopping, 'authorize', (n) => {
      const state = `${n}-`.padEnd(stateBytes, 'x')
      const query = { client_id: mapView.id, redirect_uri: redirectUri, response_type: 'code', state }
      return get(`/oauth/v2/authorize?${new URLSearchParams({ ...query, scope: 'surveillance_api' })}`)
    }),
  )
}
