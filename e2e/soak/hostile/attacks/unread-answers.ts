/**
 * Clients that ask and read nothing: 500 connections without an account, ten requests each for the OpenAPI document;
 * and 150 connections of an account with 10,000 requests for sensors, for its largest lists. A connection that the
 * server closes is opened again.
 */
import { createClient } from '@posrep/client-sdk'
import { signIn } from '../../../parts/a-user.ts'
import { getParty } from '../hostile-parties.ts'
import type { Attack } from './attack.ts'
import { keepSending } from './keep-sending.ts'

const requestsOfConnection = 10

export const unreadAnswers: Attack = async (data, started, stopping) => {
  const { ready } = data
  const session = await signIn({ ready }, getParty(1).user)
  const client = createClient({ origin: ready.origin, session })
  for (let n = 0; n < 10; n++) {
    const sensors = Array.from({ length: 1_000 }, (_, at) => ({ clientUniqueId: `unread${n}x${at}` }))
    await client.createSensorRequests(sensors)
  }
  const authorization = `Authorization: Bearer ${await session.getAccessToken()}\r\n`
  const lists = ['/v1/sensor-requests', '/v1/devices', '/openapi.json', '/v1/devices/delivery-summary']
  const host = new URL(ready.uiOrigin).hostname
  started()
  await Promise.all([
    ...Array.from({ length: 500 }, () =>
      keepSending(
        data,
        'files',
        requestsFor(host, () => '/openapi.json', ''),
        stopping,
      ),
    ),
    ...Array.from({ length: 150 }, () =>
      keepSending(
        data,
        'lists',
        requestsFor(host, (n) => lists[n % lists.length] ?? '', authorization),
        stopping,
      ),
    ),
  ])
}

function requestsFor(host: string, toPath: (n: number) => string, header: string): string {
  return Array.from(
    { length: requestsOfConnection },
    (_, n) => `GET ${toPath(n)} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n`,
  ).join('')
}
