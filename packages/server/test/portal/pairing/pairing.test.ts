import type { PairingToken } from '@posrep/spec'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aReport } from '../../a-report.ts'
import { aServer, type ServerUnderTest } from '../../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer()
  visitor = aPortalVisitor(server)
  await visitor.enter('/pairing/start')
})
afterAll(() => server.stop())
beforeEach(() => server.clock.advance(61_000))

const consume = (userAgent = 'roof-firmware/2.1') =>
  server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof1', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
  })

async function pair() {
  return visitor.press(await visitor.get('/pairing/start?clientUniqueId=roof1'), 'Pair')
}

test('the start page preselects the sensor of its link, also after sign-in', async () => {
  const page = await aPortalVisitor(server).enter('/pairing/start?clientUniqueId=roof1')

  expect(page.url).toContain('/pairing/start?clientUniqueId=roof1')
  expect([page.html.includes('fleet:roof1'), page.html.includes('fleet:roof2')]).toEqual([true, false])
})

test('Pair shows the local ID and the seconds left, and reloads where no script runs', async () => {
  const page = await pair()

  expect(new URL(page.url).pathname).toMatch(/^\/pairing\/pr_/)
  expect(page.html).toContain('<code>roof1</code>')
  expect(page.html).toMatch(/data-seconds[^>]*>60</)
  expect(page.html).toContain('<noscript><meta http-equiv="refresh" content="3"/></noscript>')
})

test('when the device has called, the page shows its address and software, and one click revokes its tokens', async () => {
  const page = await pair()
  const { accessToken } = (await (await consume()).json()) as PairingToken

  const paired = await visitor.get(page.url)
  expect(paired.html).toContain('Paired')
  expect(paired.html).toContain('roof-firmware/2.1')
  const after = await visitor.press(paired, 'Not your device? Revoke')

  expect(after.html).toContain('The tokens of the device are revoked')
  expect((await server.post('/v1/position-reports', accessToken, aReport())).status).toBe(401)
})

test('when no device called, the page says so, gives the usual reasons and offers Pair again', async () => {
  const page = await pair()
  await server.clock.advance(60_000)

  const over = await visitor.get(page.url)
  const again = await visitor.press(over, 'Pair')

  expect(over.html).toContain('No device called')
  expect(again.html).toMatch(/data-seconds[^>]*>60</)
})

test('the page shows the command of our agent with the local ID and the ingest', async () => {
  const page = await pair()
  expect(page.html).toMatch(
    new RegExp(
      `data-copy="npx @posrep/sensor-agent pair --ingest ${server.origin} --sensor roof1 --ca /\\S+/development-ca.pem"`,
    ),
  )
})

test('after our agent was paired, the page shows the command that runs it', async () => {
  const page = await pair()
  await consume('posrep-agent/1.2.3')
  expect((await visitor.get(page.url)).html).toMatch(
    /data-copy="npx @posrep\/sensor-agent run --ingest \S+ --sensor roof1 --ca \S+ --readsb /,
  )
})

test('after pairing, the page waits for the first report, and says when it was received', async () => {
  const page = await pair()
  const { accessToken } = (await (await consume()).json()) as PairingToken
  expect((await visitor.get(page.url)).html).toContain('Waiting for the first report')
  await server.post('/v1/position-reports', accessToken, aReport())
  await server.processed()
  expect((await visitor.get(page.url)).html).toContain('Report received')
})

test('a cancelled pairing request gives a device no tokens', async () => {
  await visitor.press(await pair(), 'Cancel')

  expect((await consume()).status).toBe(404)
})

test('signing out cancels the pairing request', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter('/pairing/start?clientUniqueId=roof1')
  const page = await visitor.press(await visitor.get('/pairing/start?clientUniqueId=roof1'), 'Pair')
  await visitor.press(page, 'Sign out')

  expect((await consume()).status).toBe(404)
})

test('for a sensor that is not registered, the page links to the registration form with its ID', async () => {
  const page = await visitor.get('/pairing/start?clientUniqueId=mast7')
  expect(page.html).toContain('href="/sensors?clientUniqueId=mast7"')
  expect((await visitor.get('/sensors?clientUniqueId=mast7')).html).toMatch(
    /<input[^>]*name="local_id"[^>]*value="mast7"/,
  )
})

test('an ID that is cut in the middle of a character can be searched', async () => {
  const query = `clientUniqueId=${encodeURIComponent(`${'a'.repeat(299)}😀`)}`
  const page = await aPortalVisitor(server).open(`/pairing/start?${query}`)
  expect(page.status).toBe(200)
})

test('an open page is told within a second that the device has called', async () => {
  const page = await pair()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stop = new AbortController()
  const stream = await server.fetch(`${new URL(page.url).pathname}/live`, { headers: { cookie }, signal: stop.signal })
  const reader = stream.body?.getReader()
  const read = async () => new TextDecoder().decode((await reader?.read())?.value)

  // The first event is always sent: the content may have changed since the page was made.
  expect(await read()).toContain('event: parts')
  await consume()
  const next = read()
  await server.clock.advance(1_000)
  expect(await next).toMatch(/event: parts.*Paired.*Waiting for the first report/s)
  stop.abort()
})

test('a live stream without a session is refused', async () => {
  expect((await server.fetch('/devices/live')).status).toBe(403)
})
