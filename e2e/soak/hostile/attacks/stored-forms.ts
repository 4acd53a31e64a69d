/**
 * One account that writes whatever is kept: forms that are refused, on devices that it has and on others; requests for
 * sensors, beyond their number; pairing requests; revocations; names; sign-ins; and the CSV of 120,000 sensors.
 */
import { signIn } from '../../../parts/a-user.ts'
import { aBrowser } from '../../../parts/sign-in.ts'
import { getParty, urnOf } from '../hostile-parties.ts'
import type { Attack } from './attack.ts'
import { repeat } from './requests.ts'

export const storedForms: Attack = async ({ ready }, started, stopping) => {
  const party = getParty(3)
  const session = await signIn({ ready }, party.user)
  const device = (n: number) => urnOf(party, party.localIds[n % party.localIds.length] ?? '')
  const { go, submit } = aBrowser()
  const approval = await submit(await go(new URL('/sensors', ready.uiOrigin)), 'Sign in', { ...party.user })
  const sensors = await submit(approval, 'Approve', {})
  const pages = await Promise.all(
    [0, 1, 2, 3].map((n) => go(new URL(`/devices/${encodeURIComponent(device(n))}`, ready.uiOrigin))),
  )
  const unknown = pages.map((page, n) => ({
    ...page,
    html: page.html.replaceAll(party.localIds[n] ?? '', `unknown${n}`),
  }))
  const forms = [...pages, ...unknown]
  const csv = 'a\n'.repeat(120_000)
  const authorization = `Bearer ${await session.getAccessToken()}`
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, ready.uiOrigin), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    await response.text()
    return response.status
  }
  const ofDevice = (n: number, path = '') => `/v1/devices/${encodeURIComponent(device(n))}${path}`
  started()
  await Promise.all([
    ...repeat(4, stopping, 'forms', async (n) => {
      const form = forms[n % forms.length]
      return form ? (await submit(form, 'Save', { name: '\t'.repeat(600) })).status : 0
    }),
    ...repeat(2, stopping, 'csv', async () => (await submit(sensors, 'Register all', { csv })).status),
    ...repeat(2, stopping, 'sensors', (n) => {
      const sensors = Array.from({ length: 1_000 }, (_, at) => ({ clientUniqueId: `form${n}x${at}` }))
      return call('POST', '/v1/sensor-requests', { sensors })
    }),
    ...repeat(2, stopping, 'pairing', (n) => call('POST', '/v1/pairing-requests', { deviceId: device(n) })),
    ...repeat(2, stopping, 'revocations', (n) => call('POST', ofDevice(n, '/revoke-tokens'))),
    ...repeat(2, stopping, 'names', (n) => call('PATCH', ofDevice(n), { deviceName: `name ${n}` })),
    ...repeat(1, stopping, 'sign-ins', () => signIn({ ready }, party.user).then(() => 200)),
  ])
}
