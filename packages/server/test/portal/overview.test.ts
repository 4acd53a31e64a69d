import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aReport } from '../a-report.ts'
import { aServer, roof1, roof2, type ServerUnderTest } from '../a-server.ts'
import { aRelay } from '../relays/a-relay.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer({ flags: { 'allow-private-relays': true } })
  visitor = aPortalVisitor(server)
  await visitor.enter('/')
})
afterAll(() => server.stop())

const toPlain = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

test('the overview counts devices that are live, silent, have never reported, and whose relays fail', async () => {
  await server.post('/v1/position-reports', await server.deviceToken(), aReport())
  await server.processed()
  const failed = { url: 'https://relay.example.net/', state: 3 }
  await server.post(`/v1/devices/${roof2}/relay`, await server.userToken(), failed)

  const text = toPlain((await visitor.get('/')).html)
  expect(text).toMatch(
    /Live 1 of 3 devices Silent 0 no report for longer than usual Never reported 2 [a-z, ]* Relays retrying 0 [a-z ]* Relays Failed 1 /,
  )
})

test('while the first minute of reports runs, there is no figure of it yet, and the pages say so', async () => {
  const overview = toPlain((await visitor.get('/')).html)
  expect(overview).toContain('Positions – first figure after a minute')
  expect(overview).toContain('Nothing before this minute: first figures after a minute.')
  expect(toPlain((await visitor.get(`/devices?q=${roof1}`)).html)).toMatch(/Live 0 s ago –/)

  await server.clock.advance(60_000)
  const later = toPlain((await visitor.get('/')).html)
  expect(later).toMatch(/Positions \d+ in the last whole minute/)
  expect(later).not.toContain('first figures after')
})

test('what needs attention comes first: a failed relay, then a device that has become silent', async () => {
  await server.clock.advance(120_000)
  const { html } = await visitor.get('/')
  const [, attention = ''] = html.split('id="attention"')
  expect(attention.indexOf(encodeURIComponent(roof2))).toBeLessThan(attention.indexOf(encodeURIComponent(roof1)))
  expect(toPlain(attention)).toContain('Fix the receiver, then press Activate')
})

test('a relay that does not accept its messages now is nowhere green, needs attention after the Failed ones, and is tried again now', async () => {
  let isUp = false
  const relay = await aRelay(
    server.certificate,
    (_request, response, body) => {
      const { validationCode } = JSON.parse(body)
      if (validationCode === undefined && !isUp) response.statusCode = 500
      response.end(validationCode)
    },
    { name: 'localhost' },
  )
  await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), { url: relay.url.href, state: 1 })
  await server.post('/v1/position-reports', await server.deviceToken(), aReport())
  await server.processed()
  const read = async () => (await visitor.get('/')).html.split('id="attention"')[1] ?? ''
  await vi.waitFor(async () => expect(await read()).toContain('Retrying since'))

  const attention = await read()
  expect(toPlain(attention)).toMatch(
    /Retrying since \d\d:\d\d:\d\d UTC , 1 waiting The relay answered 500 \(attempt \d+\)\. We try again in \d+ s/,
  )
  expect(attention).toContain(`/devices/${encodeURIComponent(roof1)}/deliveries?state=pending`)
  expect(attention.indexOf('Relay Failed')).toBeLessThan(attention.indexOf('Retrying since'))

  const [list, filtered, device] = await Promise.all(
    ['/devices?sort=relay', '/devices?state=retrying', `/devices/${encodeURIComponent(roof1)}`].map(visitor.get),
  )
  expect(toPlain((await visitor.get('/')).html)).toMatch(/Relays retrying 1 /)
  for (const page of [list, filtered, device]) {
    expect(toPlain(page?.html ?? '')).toMatch(/Retrying since [^,]*, 1 waiting/)
    expect(page?.html).not.toMatch(/state good[^>]*>(<svg.*?<\/svg>)?Active/)
  }
  expect(/id="name-([^"]+)"/.exec(filtered?.html ?? '')?.[1]).toBe(roof1)
  expect((await visitor.get('/devices.csv?state=retrying')).html).toContain(',Retrying,')

  isUp = true
  if (!device) throw new Error('the device has a page')
  expect((await visitor.press(device, 'Try now')).html).toContain('The waiting messages are being sent now')
  await vi.waitFor(async () => expect(await read()).not.toContain('Retrying since'))
})

test('the rows of what needs attention have keys, so that an open page keeps them', async () => {
  const [, attention = ''] = (await visitor.get('/')).html.split('id="attention"')
  expect(attention).toMatch(/^[^>]*data-live-rows/)
  expect(attention).toContain(`<li data-key="${roof2}"`)
})

test('a browser gets a page for a wrong path, with the navigation, and a program gets a problem', async () => {
  const browser = await server.fetch('/nowhere', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await browser.text()).toContain(`<a href="${server.origin}/devices">Devices</a>`)

  const program = await server.fetch('/nowhere', { headers: { accept: '*/*' } })
  expect(program.headers.get('content-type')).toContain('application/problem+json')
})

test('a page that the account opens more often than it may read the numbers of its deliveries is shown all the same', async () => {
  const token = await server.userToken()
  await visitor.get('/')
  const statuses = new Set<number>()
  while (!statuses.has(429)) statuses.add((await server.get('/v1/deliveries', token)).status)
  expect((await visitor.get('/')).status).toBe(200)
})
