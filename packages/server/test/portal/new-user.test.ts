import type { PairingToken } from '@posrep/spec'
import { expect, onTestFinished, test } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer } from '../a-server.ts'
import { aPortalVisitor } from './a-portal-visitor.ts'

test('a new user registers and pairs a sensor, which then reports and refreshes its tokens', async () => {
  const server = await aServer({ flags: { 'open-registration': true } })
  onTestFinished(() => server.stop())
  const visitor = aPortalVisitor(server)

  const signIn = await visitor.open('/sensors')
  const approval = await visitor.press(signIn, 'Create account', {
    email: 'new@example.com',
    password: 'correct horse 43',
  })
  const sensors = await visitor.press(approval, 'Approve')
  const registered = await visitor.press(sensors, 'Register', { local_id: 'mast1', name: 'Mast' })
  expect(registered.html).toContain('Registered. The sensors are now in your list of devices')

  await visitor.press(await visitor.open('/pairing/start?clientUniqueId=mast1'), 'Pair')
  const consumed = await server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=mast1', { method: 'POST' })
  const { accessToken, refreshToken, sensorId } = (await consumed.json()) as PairingToken
  const report = aReport({ sensor: { id: 'mast1' } })
  expect((await server.post('/v1/position-reports', accessToken, report)).status).toBe(202)
  expect((await visitor.open(`/devices/${encodeURIComponent(sensorId)}`)).html).toContain('Mast')

  const { client_id } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
  const ask = async (form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id, ...form })
    const response = await server.fetch('/oauth/v2/token', { method: 'POST', body })
    return { status: response.status, body: (await response.json()) as { access_token: string; error: string } }
  }
  const refreshed = await ask({ grant_type: 'refresh_token', refresh_token: refreshToken })
  expect(refreshed.status).toBe(200)
  expect((await server.post('/v1/position-reports', refreshed.body.access_token, report)).status).toBe(202)

  const asked = await ask({ grant_type: 'client_credentials', token_format: 'jwt', device_id: 'mast1' })
  expect([asked.status, asked.body.error]).toEqual([400, 'unauthorized_client'])
})
