/**
 * Calls that cost the server as much as they can: shapes whose sides are all compared, headers that make parsers go
 * back and forth, lists of sensors, and the live pages of an account with 10,000 requests for sensors, ten streams of
 * each user.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@posrep/client-sdk'
import { aReportText, aSensor } from '../../../parts/a-sensor.ts'
import { signIn } from '../../../parts/a-user.ts'
import { aBrowser } from '../../../parts/sign-in.ts'
import { getParty } from '../hostile-parties.ts'
import type { Attack } from './attack.ts'
import { counted, repeat } from './requests.ts'

const streams = 10

export const costlyCalls: Attack = async ({ ready, certificate }, started, stopping) => {
  const party = getParty(2)
  const session = await signIn({ ready }, party.user)
  const client = createClient({ origin: ready.origin, session })
  for (let n = 0; n < 10; n++) {
    const sensors = Array.from({ length: 1_000 }, (_, at) => ({ clientUniqueId: `costly${n}x${at}` }))
    await client.createSensorRequests(sensors)
  }
  const authorization = `Bearer ${await session.getAccessToken()}`
  const sensor = await aSensor({
    origin: ready.origin,
    ca: certificate.ca,
    client: party.client,
    localId: party.localIds[0] ?? '',
  })
  const call = async (path: string, init: RequestInit) => {
    const response = await fetch(new URL(path, ready.uiOrigin), { signal: AbortSignal.timeout(60_000), ...init })
    await response.text()
    return response.status
  }
  const json = { authorization, 'content-type': 'application/json' }
  const areas = JSON.stringify(circles())
  const spaces = `a=1${' '.repeat(12_000)}`
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const cookie = await signInToPortal(ready.uiOrigin, party.user)
  started()
  await Promise.all([
    ...repeat(4, stopping, 'areas', () => call('/v1/air/areas', { method: 'PUT', headers: json, body: areas })),
    ...repeat(8, stopping, 'tracestate', async (n) => {
      const headers = { traceparent, tracestate: `${spaces}b` }
      return (await sensor.submit(aReportText(`costly:${n}`), { headers })).status
    }),
    ...repeat(8, stopping, 'accept', () => call('/nothing', { headers: { accept: `"${','.repeat(12_000)}` } })),
    ...repeat(8, stopping, 'accept-encoding', () =>
      call('/v1/air/stream', { headers: { authorization, 'accept-encoding': `gzip${' '.repeat(12_000)};q=x` } }),
    ),
    ...repeat(2, stopping, 'sensors', (n) => {
      const sensors = Array.from({ length: 1_000 }, (_, at) => ({ clientUniqueId: `late${n}x${at}` }))
      return call('/v1/sensor-requests', { method: 'POST', headers: json, body: JSON.stringify({ sensors }) })
    }),
    ...Array.from({ length: streams }, (_, n) =>
      counted('live pages', () => follow(new URL(`/sensors/live?page=${n + 1}`, ready.uiOrigin), cookie, stopping)),
    ),
  ])
  sensor.close()
}

/** 20 rings of 1,000 positions that do not touch. */
function circles() {
  return {
    type: 'FeatureCollection',
    features: Array.from({ length: 20 }, (_, n) => {
      const circle = Array.from({ length: 999 }, (_, at) => [
        10 + n + 0.4 * Math.cos(at / 159),
        50 + 0.4 * Math.sin(at / 159),
      ])
      return {
        type: 'Feature',
        id: `circle${n}`,
        properties: { name: `Circle ${n}` },
        geometry: { type: 'Polygon', coordinates: [[...circle, circle[0]]] },
      }
    }),
  }
}

async function signInToPortal(uiOrigin: string, person: { email: string; password: string }): Promise<string> {
  const { go, submit, cookies } = aBrowser()
  const approval = await submit(await go(new URL('/sensors', uiOrigin)), 'Sign in', { ...person })
  await submit(approval, 'Approve', {})
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

async function follow(url: URL, cookie: string, stopping: AbortSignal): Promise<number> {
  const response = await fetch(url, { headers: { cookie }, signal: stopping })
  const reader = response.body?.getReader()
  while (!stopping.aborted && reader && !(await reader.read()).done) await sleep(0)
  return response.status
}
