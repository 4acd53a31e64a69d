import type { ServerResponse } from 'node:http'
import type { DeliveryList, Device } from '@posrep/spec'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aPosition, aReport } from '../../a-report.ts'
import { aServer, rivalRoof1, roof1, roof2, type ServerUnderTest } from '../../a-server.ts'
import { aRelay } from '../../relays/a-relay.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

const many = 28

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
  visitor = aPortalVisitor(server)
  await visitor.enter()
})
afterAll(() => server.stop())

const pathOf = (urn: string, query = '') => `/devices/${encodeURIComponent(urn)}${query}`
const toPlain = ({ html }: { html: string }) => html.replaceAll(/<[^>]+>/g, '')
const rowsOf = ({ html }: { html: string }) => html.match(/<code>[\w-]{12}…/g)?.length ?? 0

/** A relay that returns the validation code, and answers reports with this status. */
const answering = (status: number) => (_request: unknown, response: ServerResponse, body: string) => {
  const { validationCode } = JSON.parse(body)
  if (validationCode === undefined) response.statusCode = status
  response.end(validationCode)
}

/** A device whose relay refused this many more messages. */
async function refuse(urn: string, localId: string, count: number, of = server): Promise<void> {
  const { buried } = await list(urn, of)
  const relay = await aRelay(of.certificate, answering(422), { name: 'localhost' })
  const set = async (state: number) =>
    of.post(`/v1/devices/${urn}/relay`, await of.userToken(), { url: relay.url.href, state })
  const update = await set(1)
  expect(((await update.json()) as Device).relayDetails?.state).toBe('Active')
  const token = await of.deviceToken('fleet', localId)
  for (let n = 0; n < count; n++)
    await of.post('/v1/position-reports', token, aReport({ positions: [aPosition({ id: `p${n}` })] }))
  // The attempts of a message are stored after it is set aside.
  const attempted = async () => (await list(urn, of)).data.filter(({ attempts }) => attempts.length > 0)
  await vi.waitFor(async () => expect(await attempted()).toHaveLength(buried + count))
  await set(2)
}

async function list(urn: string, of = server): Promise<DeliveryList> {
  const response = await of.get(`/v1/devices/${urn}/deliveries?state=buried`, await of.userToken())
  return (await response.json()) as DeliveryList
}

test('all set-aside messages can be reached from the device, page by page, without a script', async () => {
  await refuse(roof1, 'roof1', many)

  const device = await visitor.get(pathOf(roof1))
  expect(rowsOf(device)).toBe(5)
  expect(toPlain(device)).toContain(`${many} messages are set aside: the relay did not accept them.`)
  const overview = await visitor.get('/')
  expect(toPlain(overview)).toContain(`${many} set aside Relays did not accept these messages.`)
  expect(toPlain(overview)).toMatch(new RegExp(`Resend: [^(]+ \\(${many}\\)\\.`))
  expect(overview.html).toContain(`href="${pathOf(roof1, '/deliveries?state=buried')}"`)
  expect(toPlain(overview)).not.toContain('Nothing: no relay')
  const first = await visitor.click(device, `${many} set aside`)
  const second = await visitor.click(first, 'Next')
  expect([rowsOf(first), rowsOf(second)]).toEqual([25, many - 25])
  expect(second.html).not.toContain('rel="next"')
  expect(rowsOf(await visitor.click(second, 'First page'))).toBe(25)
})

test('a message can be read and resent from the list', async () => {
  await refuse(roof2, 'roof2', 2)
  const page = await visitor.get(pathOf(roof2, '/deliveries?state=buried'))
  const id = /delivery=(dl_\d+)#message/.exec(page.html)?.[1] ?? ''

  const read = await visitor.get(pathOf(roof2, `/deliveries?state=buried&delivery=${id}`))
  expect(read.html).toMatch(/<textarea readonly[^>]*>{\n {2}&quot;name&quot;: &quot;position_report/)
  expect(toPlain(read)).toMatch(/422 after \d+ ms, The relay answered 422/)
  expect(read.html).toContain('data-copy="curl -i -X POST')
  const resent = await visitor.press(read, 'Resend')
  expect([resent.html.includes('queued for the relay again'), rowsOf(resent)]).toEqual([true, 1])
  expect(await list(roof2)).toMatchObject({ pending: 1, buried: 1 })
  expect(rowsOf(await visitor.get(pathOf(roof2, '/deliveries?state=pending')))).toBe(1)
})

test('all set-aside messages are resent with one button, and a message is found by its ID', async () => {
  const page = await visitor.get(pathOf(roof2, '/deliveries?state=buried'))
  const messageId = (await list(roof2)).data[0]?.messageId ?? ''
  const found = await visitor.get(pathOf(roof2, `/deliveries?delivery=${encodeURIComponent(messageId)}`))
  expect(found.html).toContain(`Message <code>${messageId}</code>`)
  expect((await visitor.get(pathOf(roof2, '/deliveries?delivery=dl_1'))).html).toContain('No delivery of this device')

  const resent = await visitor.press(page, 'Resend all 1')
  expect(toPlain(resent)).toContain('1 message is queued for the relay again')
  expect((await list(roof2)).buried).toBe(0)
})

test('where not all messages can be resent, the page says how many were, and that the others can be', async () => {
  const small = await aServer({ flags: { 'allow-private-relays': true, 'relay-backlog': '2' } })
  onTestFinished(() => small.stop())
  const pilot = aPortalVisitor(small)
  await pilot.enter()
  // Each is refused before the next one arrives, so the small backlog drops none.
  for (let n = 0; n < 3; n++) await refuse(roof1, 'roof1', 1, small)

  const resent = await pilot.press(await pilot.get(pathOf(roof1, '/deliveries?state=buried')), 'Resend all 3')
  expect(toPlain(resent)).toContain(
    '2 of 3 messages are queued for the relay again. Press Resend all again for the rest.',
  )
  // Later than a double click.
  await small.clock.advance(10_000)
  const again = await pilot.press(resent, 'Resend all 1')
  expect(toPlain(again)).toContain('No message is queued again')
})

test('the page of a device says why its relay did not accept the last message, and when the next attempt is', async () => {
  const own = await aServer({ flags: { 'allow-private-relays': true } })
  onTestFinished(() => own.stop())
  const pilot = aPortalVisitor(own)
  await pilot.enter()
  const relay = await aRelay(own.certificate, answering(503), { name: 'localhost' })
  const set = await pilot.press(await pilot.get(pathOf(roof1)), 'Set address', { url: relay.url.href })
  expect(toPlain(set)).toContain('Every report is forwarded as it is processed')
  await own.post('/v1/position-reports', await own.deviceToken(), aReport())

  await vi.waitFor(async () => {
    const page = toPlain(await pilot.get(pathOf(roof1)))
    expect(page).toContain('Retrying since')
    expect(page).toMatch(
      /The relay answered 503\. We try again (now|in \d+ s) \(attempt 2\)\. Waiting messages are kept\./,
    )
  })
})

test('the page of a device says how many messages were dropped, until the relay has another address', async () => {
  const small = await aServer({ flags: { 'allow-private-relays': true, 'relay-backlog': '2' } })
  onTestFinished(() => small.stop())
  const pilot = aPortalVisitor(small)
  await pilot.enter()
  const relay = await aRelay(small.certificate, answering(503), { name: 'localhost' })
  const typed = { url: relay.url.href }
  const set = await pilot.press(await pilot.get(pathOf(roof1)), 'Set address', typed)
  expect(set.html).not.toContain('dropped')
  const token = await small.deviceToken()
  const report = (id: string) => small.post('/v1/position-reports', token, aReport({ positions: [aPosition({ id })] }))
  for (const id of ['a', 'b', 'c']) await report(id)
  await small.processed()
  await small.clock.advance(1_000)
  expect(toPlain(await pilot.get(pathOf(roof1)))).toContain('1 message was dropped 1 s ago: more messages were waiting')

  await small.clock.advance(120_000)
  for (const id of ['d', 'e']) await report(id)
  await small.processed()
  await small.clock.advance(1_000)
  const page = await pilot.get(pathOf(roof1))
  expect(toPlain(page)).toMatch(
    /3 messages were dropped, the first [\w, :]+ UTC, the last \d s ago: more messages were waiting/,
  )
  const moved = await pilot.press(page, 'Change address', { url: `${relay.url.href}new` })
  expect(moved.html).not.toContain('dropped')
})

test('a state without deliveries says so, and a page whose deliveries are gone is empty', async () => {
  const delivered = await visitor.get(pathOf(roof2, '/deliveries?state=delivered'))
  expect(delivered.html).toContain('No message was delivered recently')
  const behind = await visitor.get(pathOf(roof2, '/deliveries?state=buried&after=dl_99999999'))
  expect([behind.status, rowsOf(behind)]).toEqual([200, 0])
})

test('deliveries of another account answer like those of a device that does not exist', async () => {
  const [foreign, unknown] = await Promise.all(
    [rivalRoof1, 'urn:aa:device:fleet:nowhere'].map((urn) => visitor.get(pathOf(urn, '/deliveries?state=buried'))),
  )
  expect([foreign?.status, unknown?.status]).toEqual([404, 404])
  // Form tokens are masked differently each time.
  const toPlain = (html = '') => html.replaceAll(/name="form_token" value="[^"]*"/g, '')
  expect(toPlain(foreign?.html)).toBe(toPlain(unknown?.html))
})

test('a message is found by its ID behind the first 200, and an API client gets the numbers of all relays', async () => {
  const own = await aServer({ flags: { 'allow-private-relays': true } })
  onTestFinished(() => own.stop())
  const pilot = aPortalVisitor(own)
  await pilot.enter()
  const relay = await aRelay(own.certificate, answering(503), { name: 'localhost' })
  const body = { url: relay.url.href, state: 1 }
  await own.post(`/v1/devices/${roof1}/relay`, await own.userToken(), body)
  const token = await own.deviceToken()
  const report = (id: string) => own.post('/v1/position-reports', token, aReport({ positions: [aPosition({ id })] }))
  // A few at a time: a connection for each would take long on a busy machine.
  for (let n = 0; n < 203; n += 7) await Promise.all(Array.from({ length: 7 }, (_, i) => report(`p${n + i}`)))
  const summary = async () => (await own.get('/v1/deliveries', await own.userToken())).json()
  await vi.waitFor(async () => expect(await summary()).toMatchObject({ relays: 1, pending: 203 }))

  const response = await own.get(`/v1/devices/${roof1}/deliveries?state=pending&limit=200`, await own.userToken())
  const last = ((await response.json()) as DeliveryList).data.at(-1)
  const rest = await own.get(`/v1/devices/${roof1}/deliveries?state=pending&after=${last?.id}`, await own.userToken())
  const messageId = ((await rest.json()) as DeliveryList).data.at(-1)?.messageId ?? ''
  const found = await pilot.get(pathOf(roof1, `/deliveries?delivery=${encodeURIComponent(messageId)}`))
  expect(found.html).toContain(`Message <code>${messageId}</code>`)

  await own.clock.advance(61_000)
  await vi.waitFor(async () =>
    expect(await summary()).toMatchObject({ deliveryMetrics: [{ delivered: 0, averageLagMilliseconds: null }] }),
  )
})
