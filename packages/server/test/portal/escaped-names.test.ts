import type { Device, PairingRequest } from '@posrep/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

const hostile = `"'><b onclick=x>&lt;</title></script><!--`

let server: ServerUnderTest
let visitor: PortalVisitor
let pairing: PairingRequest
beforeAll(async () => {
  server = await aServer({ flags: { 'open-registration': true } })
  visitor = aPortalVisitor(server)
  await visitor.enter()
  await visitor.press(await visitor.get(devicePath()), 'Save', { name: hostile })
  const device = await (await server.get(`/v1/devices/${roof1}`, await server.userToken())).json()
  expect((device as Device).deviceName).toBe(hostile)
  const started = await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: roof1 })
  pairing = (await started.json()) as PairingRequest
})
afterAll(() => server.stop())

const devicePath = (part = '') => `/devices/${encodeURIComponent(roof1)}${part}`

/** Only the escaped name may be in the page: every piece of it that has a meaning in HTML must be missing. */
function checkEscaped(html: string): void {
  for (const piece of ['<b onclick', `"'>`, '"&#39;>', '&lt;</title>', '>&lt;<', 'x></script', '<!--']) {
    expect(html).not.toContain(piece)
  }
  expect(html.match(/<\/title>/g)).toHaveLength(1)
  expect(html).toContain('&lt;b onclick=x>&amp;lt;&lt;/title>')
}

test.each<[string, () => string]>([
  ['the list of devices', () => '/devices'],
  ['a search', () => `/devices?q=${encodeURIComponent('onclick')}`],
  ['its own page', () => devicePath()],
  ['the question before its tokens are revoked', () => devicePath('/revoke')],
  ['its pending messages', () => devicePath('/deliveries?state=pending')],
  ['its delivered messages', () => devicePath('/deliveries?state=delivered')],
  ['its messages that were set aside', () => devicePath('/deliveries?state=buried')],
  ['the page that starts pairing', () => '/pairing/start?clientUniqueId=roof1'],
  ['the page of its pairing request', () => `/pairing/${pairing.id}`],
])('the name of a device is escaped in %s', async (_page, toPath) => {
  const page = await visitor.get(toPath())
  expect(page.status).toBe(200)
  checkEscaped(page.html)
})

test('a refused name is escaped where it is shown again', async () => {
  const page = await visitor.press(await visitor.get(devicePath()), 'Save', { name: `${hostile}\u0007` })
  expect(page.html).toContain('Nothing was changed')
  checkEscaped(page.html)
})

test('a refused name of a new sensor is escaped where it is shown again', async () => {
  const { html } = await visitor.press(await visitor.get('/sensors'), 'Register', { local_id: '!', name: hostile })
  checkEscaped(html)
})
