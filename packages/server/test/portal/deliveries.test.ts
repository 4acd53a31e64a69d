import type { ServerResponse } from 'node:http'
import type { DeliveryList, Device } from '@posrep/spec'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aPosition, aReport } from '../a-report.ts'
import { aServer, rivalRoof1, roof1, roof2, type ServerUnderTest } from '../a-server.ts'
import { aRelay } from '../relays/a-relay.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

const many = 53

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
  visitor = aPortalVisitor(server)
  await visitor.enter()
})
afterAll(() => server.stop())

const pathOf = (urn: string, query = '') => `/devices/${encodeURIComponent(urn)}${query}`
const rowsOf = ({ html }: { html: string }) => html.match(/<code>msg_/g)?.length ?? 0

/** A device whose relay refused that many messages. */
async function refuse(urn: string, localId: string, count: number): Promise<void> {
  const answer = (_request: unknown, response: ServerResponse, body: string) => {
    const { validationCode } = JSON.parse(body)
    if (validationCode === undefined) response.statusCode = 422
    response.end(validationCode)
  }
  const relay = await aRelay(server.certificate, answer, { name: 'localhost' })
  const update = await server.post(`/v1/devices/${urn}/relay`, await server.userToken(), {
    url: relay.url.href,
    state: 1,
  })
  expect(((await update.json()) as Device).relayDetails?.state).toBe('Active')
  const token = await server.deviceToken('fleet', localId)
  for (let n = 0; n < count; n++)
    await server.post('/v1/position-reports', token, aReport({ positions: [aPosition({ id: `p${n}` })] }))
  await vi.waitFor(async () => expect((await list(urn)).buried).toBe(count), { timeout: 10_000 })
  await server.post(`/v1/devices/${urn}/relay`, await server.userToken(), { url: relay.url.href, state: 2 })
}

async function list(urn: string): Promise<DeliveryList> {
  const response = await server.get(`/v1/devices/${urn}/deliveries`, await server.userToken())
  return (await response.json()) as DeliveryList
}

test('all that was set aside is reached from the device, page by page, without a script', async () => {
  await refuse(roof1, 'roof1', many)

  const device = await visitor.get(pathOf(roof1))
  expect(rowsOf(device)).toBe(10)
  const first = await visitor.click(device, `${many} set aside`)
  const second = await visitor.click(first, 'Next')
  expect([rowsOf(first), rowsOf(second)]).toEqual([50, many - 50])
  expect(second.html).not.toContain('rel="next"')
  expect((await visitor.click(second, 'First page')).html).toBe(first.html)
})

test('a message is read and resent where it stands in the list', async () => {
  await refuse(roof2, 'roof2', 2)
  const page = await visitor.get(pathOf(roof2, '/deliveries?state=buried'))
  const id = /delivery=(dl_\d+)#message/.exec(page.html)?.[1] ?? ''

  const read = await visitor.get(pathOf(roof2, `/deliveries?state=buried&delivery=${id}`))
  expect(read.html).toMatch(/<textarea readonly[^>]*>{&quot;name&quot;:&quot;position_report/)
  const resent = await visitor.press(read, 'Resend')
  expect([resent.html.includes('owed to the relay again'), rowsOf(resent)]).toEqual([true, 1])
  expect(await list(roof2)).toMatchObject({ pending: 1, buried: 1 })
  expect(rowsOf(await visitor.get(pathOf(roof2, '/deliveries?state=pending')))).toBe(1)
})

test('a state without deliveries says so, and a page that is no longer there is empty', async () => {
  const delivered = await visitor.get(pathOf(roof2, '/deliveries?state=delivered'))
  expect(delivered.html).toContain('Nothing was delivered lately')
  const behind = await visitor.get(pathOf(roof2, '/deliveries?state=buried&after=dl_99999999'))
  expect([behind.status, rowsOf(behind)]).toEqual([200, 0])
})

test('those of another account are not found, as those of a device that does not exist', async () => {
  const [foreign, unknown] = await Promise.all(
    [rivalRoof1, 'urn:aa:device:fleet:nowhere'].map((urn) => visitor.get(pathOf(urn, '/deliveries?state=buried'))),
  )
  expect([foreign?.status, unknown?.status]).toEqual([404, 404])
  expect(foreign?.html).toBe(unknown?.html)
})
