/**
 * Requests for authorization without a session, with the longest `state` that is accepted: what is kept for each
 * travels sealed. And tokens that five clients ask for again and again, instead of refreshing them; they revoke half of
 * them.
 */
import { mapView, redirectUri } from '../../../parts/seed.ts'
import { getParty, hostileParties } from '../hostile-parties.ts'
import type { Attack, AttackData } from './attack.ts'
import { repeat, requestsTo } from './requests.ts'

const stateBytes = 2_048

export const signInFlood: Attack = async ({ ready, certificate }, started, stopping) => {
  const get = requestsTo(ready.authOrigin, certificate.ca, 32)
  started()
  await Promise.all([
    ...repeat(32, stopping, 'authorize', (n) => {
      const state = `${n}-`.padEnd(stateBytes, 'x')
      const query = { client_id: mapView.id, redirect_uri: redirectUri, response_type: 'code', state }
      return get(`/oauth/v2/authorize?${new URLSearchParams({ ...query, scope: 'surveillance_api' })}`)
    }),
    ...repeat(10, stopping, 'token', (n) => askForToken(ready, n)),
  ])
}

async function askForToken({ authOrigin }: AttackData['ready'], n: number): Promise<number> {
  const { client, localIds } = getParty(n % hostileParties.length)
  const credentials = { client_id: client.id, client_secret: client.secret }
  const post = (path: string, fields: Record<string, string>) =>
    fetch(new URL(path, authOrigin), { method: 'POST', body: new URLSearchParams({ ...credentials, ...fields }) })

  const answer = await post('/oauth/v2/token', { grant_type: 'client_credentials', device_id: localIds[0] ?? '' })
  const { refresh_token: token = '' } = await answer.json()
  if (n % 2 === 0) await (await post('/oauth/v2/revoke', { token })).text()
  return answer.status
}
