import type { Device } from '@posrep/spec'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aPosition, aReport } from '../../a-report.ts'
import { aServer, rivalRoof1, roof1, roof2, type ServerUnderTest } from '../../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer({ flags: { 'open-registration': true } })
  visitor = aPortalVisitor(server)
  await visitor.enter()
})
afterAll(() => server.stop())

async function readDevice(urn: string): Promise<Device> {
  return (await (await server.get(`/v1/devices/${urn}`, await server.userToken())).json()) as Device
}

const pathOf = (urn: string) => `/devices/${encodeURIComponent(urn)}`

test('the list has the devices of the account only', async () => {
  const page = await visitor.open('/devices')

  expect(page.html).toContain(roof1)
  expect(page.html).not.toContain(rivalRoof1)
})

test('the search finds devices by name and by ID, and says when none matches', async () => {
  const found = await visitor.get('/devices?q=ROOF2')
  const none = await visitor.get('/devices?q=%3Cscript%3E')

  expect([found.html.includes(roof2), found.html.includes(roof1)]).toEqual([true, false])
  expect(none.html).toContain('No device of your account has this text in its name, its ID or its tags')
  expect(none.html).not.toContain('<script>')
})

test("another account's device answers like a device that does not exist", async () => {
  const [foreign, unknown] = await Promise.all(
    [rivalRoof1, 'urn:aa:device:fleet:nowhere'].map((urn) => visitor.get(pathOf(urn))),
  )

  expect([foreign?.status, unknown?.status]).toEqual([404, 404])
  // Form tokens are masked differently each time.
  const toPlain = (html = '') => html.replaceAll(/name="form_token" value="[^"]*"/g, '')
  expect(toPlain(foreign?.html)).toBe(toPlain(unknown?.html))
})

test('a second click on the storage switch does nothing', async () => {
  const page = await visitor.get(pathOf(roof2))
  await visitor.press(page, 'On')
  await visitor.press(page, 'On')

  expect((await readDevice(roof2)).shouldStorePositionReportMetrics).toBe(false)
})

test('a device can be renamed, and a refused name is shown with the reason', async () => {
  const page = await visitor.get(pathOf(roof2))

  const refused = await visitor.press(page, 'Save', { name: 'a\u0007b' })
  expect([new URL(refused.url).pathname, refused.html.includes('Nothing was changed')]).toEqual([pathOf(roof2), true])
  const renamed = await visitor.press(page, 'Save', { name: 'Mast <b>4</b>' })
  expect(renamed.html).toContain('Mast &lt;b>4&lt;/b>')
  expect((await readDevice(roof2)).deviceName).toBe('Mast <b>4</b>')
})

test('invisible characters in the name of a device are shown on every page, and kept in the field', async () => {
  const name = 'Roof\u200b\u202e 2'
  const page = await visitor.press(await visitor.get(pathOf(roof2)), 'Save', { name })
  const pages = [
    page.html,
    (await visitor.get('/devices')).html,
    (await visitor.get('/pairing/start?clientUniqueId=roof2')).html,
    (await visitor.get(`${pathOf(roof2)}/deliveries`)).html,
  ]
  for (const html of pages) {
    expect(html).toContain('<bdi>Roof\\u200b\\u202e 2</bdi>')
    expect(html.replaceAll(/value="[^"]*"/g, '')).not.toMatch(/[\u200b\u202e]/)
  }
  expect(page.html).toContain(`value="${name}"`)
})

test('the page of a device shows recent reports as rows, and escapes markup in them', async () => {
  const report = aReport()
  const [position] = report.positions
  if (!position) throw new Error('a report has a position')
  position.target = { ids: [{ id: '<img src=x>', type: 'ICAO' }] }
  await server.post('/v1/position-reports', await server.deviceToken(), report)
  await server.processed()

  const { html } = await visitor.get(pathOf(roof1))

  expect(html).toContain('&lt;img src=x>')
  expect(html).not.toContain('<img')
})

test('each target is one row, named as on the map by the call sign that any position has, with its ID, its newest position, and its altitude in words', async () => {
  const ids = [
    { id: '461F9C', type: 'ICAO' },
    { id: 'FIN1 ', type: 'CallSign' },
  ]
  const at = (n: number) =>
    aPosition({
      id: `n${n}`,
      target: { ids },
      position: { lat: 60 + n / 10, lon: 25 },
      altitudes: [{ height: 10_668, datum: 'bar' }],
    })
  const report = aReport({ positions: [at(1), { ...at(2), target: { ids: ids.slice(0, 1) } }] })
  await server.post('/v1/position-reports', await server.deviceToken('partner', 'words1'), report)
  await server.processed()

  const { html } = await visitor.get(pathOf('urn:aa:device:partner:words1'))

  expect(html.match(/data-key="461F9C"/g)).toHaveLength(1)
  expect(html).toMatch(/<code>FIN1<\/code> <span class="other-id">461F9C</)
  for (const text of ['60.20000, 25.00000', '10,668 m, pressure altitude', '1 earlier']) {
    expect(html).toContain(text)
  }
  expect(html).toContain('Lacks a velocity with x, y and z, which maps need')
})

test('of a report with a position that no map shows, a target on the ground without velocity is not to blame', async () => {
  const target = (id: string) => ({ target: { ids: [{ id, type: 'ICAO' }] } })
  const altitudes = [{ height: 0, datum: 'agl' as const }]
  const onGround = aPosition({ id: 'g1', ...target('461F9D'), altitudes, onGround: true })
  const flying = aPosition({ id: 'a1', ...target('461F9E'), altitudes: [{ height: 900, datum: 'bar' }] })
  const report = aReport({ positions: [onGround, flying] })
  await server.post('/v1/position-reports', await server.deviceToken('partner', 'ground1'), report)
  await server.processed()

  const { html } = await visitor.get(pathOf('urn:aa:device:partner:ground1'))

  expect(html).toContain('on the ground')
  expect([...new Set(html.match(/Lacks [^<"]*, which maps need/g))]).toEqual([
    'Lacks a velocity with x, y and z, which maps need',
  ])
})

test('a report that the compat profile mended is shown as it was meant', async () => {
  const compat = await aServer({ flags: { 'ingest-profile': 'compat' } })
  onTestFinished(() => compat.stop())
  const { id, sourceTimeStamp } = aPosition()
  const positions = [{ position: { latitude: 60.5, lng: 24.5, id, sourceTimeStamp } }]
  expect((await compat.post('/v1/position-reports', await compat.deviceToken(), { positions })).status).toBe(202)
  await compat.processed()

  const { status, html } = await aPortalVisitor(compat).enter(pathOf(roof1))

  expect(status).toBe(200)
  expect(html).toContain('60.50000, 24.50000')
})

test('of many targets and positions, the page shows some and says how many it leaves out', async () => {
  await visitor.press(await visitor.get('/devices?q=roof2'), 'Off')
  const token = await server.deviceToken('fleet', 'roof2')
  for (let report = 0; report < 7; report++) {
    const positions = Array.from({ length: 1_000 }, (_, n) =>
      aPosition({ id: `p${report}-${n}`, target: { ids: [{ id: `T${n % 150}`, type: 'ICAO' }] } }),
    )
    expect((await server.post('/v1/position-reports', token, aReport({ positions }))).status).toBe(202)
  }
  await server.processed()

  const { html } = await visitor.get(pathOf(roof2))
  const { html: longer } = await visitor.get(`${pathOf(roof2)}?targets=all`)

  expect(html.replaceAll(/<[^>]+>/g, '')).toContain(
    '150 targets in the newest 5,000 positions of the last hour; the 50 that were seen last',
  )
  expect([html, longer].map((page) => page.match(/<code>T\d+<\/code>/g)?.length)).toEqual([10, 50])
  expect(html).toContain('href="?targets=all#recent-heading">Show 50 targets</a>')
  expect(longer.length).toBeLessThan(200_000)
})

test('the name of a target is cut, however long it is', async () => {
  const positions = Array.from({ length: 20 }, (_, n) => aPosition({ id: 'x'.repeat(40_000 + n) }))
  await server.post('/v1/position-reports', await server.deviceToken('partner', 'long1'), aReport({ positions }))
  await server.processed()

  const { status, html } = await visitor.get(pathOf('urn:aa:device:partner:long1'))

  expect([status, html.length < 50_000]).toEqual([200, true])
})

test('an address that does not return the code is refused with the reason, and nothing changes', async () => {
  const page = await visitor.get(pathOf(roof1))
  const after = await visitor.press(page, 'Set address', { url: 'https://relay.invalid/' })

  expect(errorsOf(after.html)).toMatchObject([{ id: 'relay-url', isMarked: true, isBeside: true }])
  expect(after.html).toContain('value="https://relay.invalid/"')
  expect((await readDevice(roof1)).relayDetails).toBeNull()
})

test('a refused relay address is shown with the typed text and the reason, at the address of the page', async () => {
  const update = { url: 'https://relay.invalid/', state: 2 }
  await server.post(`/v1/devices/${roof1}/relay`, await server.userToken(), update)
  const page = await visitor.get(pathOf(roof1))

  const refused = await visitor.press(page, 'Change address', { url: 'http://relay.example/' })

  const isTyped = refused.html.includes('value="http://relay.example/"')
  expect([new URL(refused.url).pathname, isTyped]).toEqual([pathOf(roof1), true])
  expect((await readDevice(roof1)).relayDetails?.url).toBe('https://relay.invalid/')
})

test('a relay that is activated and does not return the code is Failed, and the page says why, once', async () => {
  const page = await visitor.get(pathOf(roof1))
  const after = await visitor.press(page, 'Activate')

  expect(after.html).toMatch(/<p class="failure" role="alert"[^>]*>The relay is Failed/)
  expect((await visitor.get(after.url)).html).not.toContain('role="alert"')
  expect((await readDevice(roof1)).relayDetails?.state).toBe('Failed')
})

test('the storage switch in the list leads back to the list, with what became true', async () => {
  const isOn = (await readDevice(roof2)).shouldStorePositionReportMetrics
  const page = await visitor.get('/devices?q=roof2')
  const after = await visitor.press(page, isOn ? 'On' : 'Off')
  expect([new URL(after.url).pathname, new URL(after.url).searchParams.get('q')]).toEqual(['/devices', 'roof2'])
  expect(after.html).toContain(`Storage is ${isOn ? 'off' : 'on'} for`)
  await visitor.press(after, isOn ? 'Off' : 'On')
})

test('the list has filters by state, and is exported as CSV without formulas', async () => {
  const failing = await visitor.get('/devices?state=failing')
  expect([failing.html.includes(roof1), failing.html.includes(roof2)]).toEqual([true, false])
  await visitor.press(await visitor.get(pathOf(roof2)), 'Save', { name: '=1+1, "x"' })
  const { headers, html } = await visitor.get('/devices.csv')
  expect(headers.get('content-type')).toContain('text/csv')
  expect(html).toContain(`${roof2},"'=1+1, ""x""",`)
})

test('removing a device asks for confirmation with its name, and leads to the list', async () => {
  const question = await visitor.get(`${pathOf('urn:aa:device:partner:words1')}/remove`)
  expect(question.html).toContain('words1')
  const after = await visitor.press(question, 'Remove device')
  expect(after.html).toContain('words1 was removed')
  expect((await visitor.get(pathOf('urn:aa:device:partner:words1'))).status).toBe(404)
})

test('revoking the tokens of a device asks for confirmation with its name, and ends its access', async () => {
  const token = await server.deviceToken('fleet', 'roof2')
  const question = await visitor.click(await visitor.get(pathOf(roof2)), 'Revoke tokens')
  expect(question.html).toContain(roof2)

  const page = await visitor.press(question, 'Revoke tokens')

  expect(page.html).toContain('The tokens of the device are revoked')
  expect((await server.post('/v1/position-reports', token, aReport())).status).toBe(401)
})

test('with open registration the form registers one sensor or many', async () => {
  const page = await visitor.get('/sensors')

  const one = await visitor.press(page, 'Register', { local_id: 'gate7', name: 'Gate', client_id: 'fleet' })
  const many = await visitor.press(page, 'Register all', {
    csv: 'local_id,client_id,name\nmast1,fleet,Mast\nmast2,fleet,',
  })

  expect([one.html.includes('now in your list of devices'), many.html.includes('now in your list of devices')]).toEqual(
    [true, true],
  )
  expect((await readDevice('urn:aa:device:fleet:mast2')).deviceName).toBe('mast2')
})

test('requests are listed in pages', async () => {
  const csv = `local_id,client_id\n${Array.from({ length: 60 }, (_, n) => `page${n},fleet`).join('\n')}`
  await visitor.press(await visitor.get('/sensors'), 'Register all', { csv })

  const rows = ({ html }: { html: string }) => html.match(/<tr[ >]/g)?.length ?? 0
  const first = await visitor.get('/sensors')
  expect([rows(first), first.html.includes('href="/sensors?page=2"')]).toEqual([51, true])
  expect(rows(await visitor.get('/sensors?page=2'))).toBeGreaterThan(10)
})

test('the list keeps its order on every page', async () => {
  const visit = async (query: string) => {
    const { html } = await visitor.get(`/devices?${query}`)
    return [...html.matchAll(/id="name-([^"]+)"/g)].map(([, urn]) => urn)
  }
  await server.clock.advance(120_000)
  await server.post('/v1/position-reports', await server.deviceToken('fleet', 'mast2'), aReport())
  await server.processed()
  expect((await visit('sort=nonsense'))[0]).toBe((await visit(''))[0])
  expect((await visit('sort=report'))[0]).toBe('urn:aa:device:fleet:mast2')
  const pages = [...(await visit('sort=name&q=page')), ...(await visit('sort=name&q=page&page=2'))]
  expect(pages.slice(0, 3)).toEqual([0, 1, 2].map((n) => `urn:aa:device:fleet:page${n}`))
  expect(pages.at(-1)).toBe('urn:aa:device:fleet:page59')
  const page = await visitor.get('/devices?sort=name&q=page')
  expect(page.html).toContain('href="/devices?q=page&amp;sort=name&amp;page=2"')
  expect(page.html).toMatch(/<option (?=[^>]*value="name")(?=[^>]*selected)/)
})

test('a Failed relay comes first in a list sorted by relay', async () => {
  for (const [urn, state] of [
    [roof1, 2],
    [roof2, 3],
  ]) {
    const update = { url: 'https://relay.example.net/', state }
    await server.post(`/v1/devices/${urn}/relay`, await server.userToken(), update)
  }
  const { html } = await visitor.get('/devices?sort=relay')
  expect(/id="name-([^"]+)"/.exec(html)?.[1]).toBe(roof2)
})

test('a CSV with bad lines registers nothing, and is shown again with an error for each bad line', async () => {
  const csv = 'local_id,client_id\nfine1,fleet\nnot fine,fleet\nroof1,fleet\nfine2,nobody'

  const page = await visitor.press(await visitor.get('/sensors'), 'Register all', { csv })

  expect(page.status).toBe(400)
  for (const line of [3, 4, 5]) expect(page.html).toContain(`Line ${line}: `)
  expect(page.html).not.toContain('Line 2: ')
  expect(page.html).toContain('not fine,fleet')
  expect((await visitor.get(pathOf('urn:aa:device:fleet:fine1'))).status).toBe(404)
})

/** The links of the error summary, and the errors beside the linked fields. */
function errorsOf(html: string) {
  const summary = /<div class="failure"[^>]*autofocus[^>]*>(.*?)<\/div>/s.exec(html)?.[1] ?? ''
  const links = [...summary.matchAll(/<a href="#([^"]+)">(.*?)<\/a>/g)].map(([, id = '', text]) => ({ id, text }))
  return links.map(({ id, text }) => {
    const field = new RegExp(
      `<(?:input|textarea|select) id="${id}" aria-invalid(?:="true")? aria-describedby="${id}-wrong[ "]`,
    )
    const beside = new RegExp(`<ul class="wrong" id="${id}-wrong">(.*?)</ul>`, 's').exec(html)?.[1]
    return { id, text, isMarked: field.test(html), isBeside: beside?.includes(`<li>${text}</li>`) }
  })
}

test('an error is shown beside its field and in the summary, and the typed text is kept', async () => {
  const typed = { local_id: 'roof 1', name: 'Roof of the shed' }
  // As after the client was taken from the account.
  const page = await visitor.press(await visitor.get('/sensors'), 'Register', { ...typed, client_id: 'nobody' })

  expect(page.status).toBe(400)
  expect(errorsOf(page.html)).toEqual([
    {
      id: 'local-id',
      text: '&quot;roof 1&quot; must be 1 to 255 letters and digits',
      isMarked: true,
      isBeside: true,
    },
    {
      id: 'client-id',
      text: '&quot;nobody&quot; is not a client application of this account',
      isMarked: true,
      isBeside: true,
    },
  ])
  for (const value of Object.values(typed)) expect(page.html).toContain(`value="${value}"`)
  expect(page.html).toMatch(/<input id="sensor-name" name="name"/)
})

test.each([
  [{ name: 'x'.repeat(101) }, 'sensor-name', 'The name must have at most 100 characters and no line break'],
  [{ local_id: ' ' }, 'local-id', 'The local ID is missing'],
  [{ local_id: 'roof1' }, 'local-id', '&quot;roof1&quot; is already registered'],
  [
    { client_id: '' },
    'client-id',
    "The sensor must name one of the account's client applications: fleet, partner, scopeless",
  ],
])('a form with %o points to the field "%s"', async (typed, id, text) => {
  const right = { local_id: 'pole1', name: 'Pole', client_id: 'fleet' }
  const page = await visitor.press(await visitor.get('/sensors'), 'Register', { ...right, ...typed })
  expect(errorsOf(page.html)).toEqual([{ id, text, isMarked: true, isBeside: true }])
})

test('with many bad lines the summary shows ten, and all are shown beside the list', async () => {
  const csv = `local_id,client_id\n${'not fine,fleet\n'.repeat(25)}`
  const page = await visitor.press(await visitor.get('/sensors'), 'Register all', { csv })
  const errors = errorsOf(page.html)
  expect([errors.length, page.html.includes('and 15 more, below')]).toEqual([10, true])
  expect(errors[0]).toMatchObject({ id: 'csv', isMarked: true, isBeside: true })
  expect(page.html).toContain('<li>Line 26: ')
})

test('the errors of a refused address and of a refused name are shown beside their fields', async () => {
  const page = await visitor.get(pathOf(roof1))
  const relay = await visitor.press(page, /Set address|Change address/.exec(page.html)?.[0] ?? '', {
    url: 'http://a.example/',
  })
  expect(errorsOf(relay.html)).toMatchObject([{ id: 'relay-url', isMarked: true, isBeside: true }])
  const name = await visitor.press(page, 'Save', { name: 'x'.repeat(101) })
  expect(errorsOf(name.html)).toMatchObject([{ id: `device-name-${roof1}`, isMarked: true, isBeside: true }])
})

test('the error for text that is not CSV says what the first line must be', async () => {
  const page = await visitor.press(await visitor.get('/sensors'), 'Register all', { csv: 'id;name\n1;2' })

  expect([page.status, page.html.includes('The first line must name the columns')]).toEqual([400, true])
})

test('an unknown path of the portal answers with an error page', async () => {
  for (const path of ['/devices/a/b/c', '/pairing/pr_nothing', '/portal/nowhere', '/sensors/x']) {
    const page = await visitor.get(path)
    expect([page.status, page.html.includes('Page not found')]).toEqual([404, true])
  }
})

test('a wrong path of the API is a page for browsers, and a problem for other clients', async () => {
  const problem = 'application/problem+json; charset=utf-8'
  const types = {
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': 'text/html; charset=utf-8',
    '*/*': problem,
    'application/json': problem,
  }
  for (const path of ['/v1/nothing', `/v1/devices/${roof1}/nothing`, '/oauth/v2/nothing']) {
    for (const [accept, type] of Object.entries(types)) {
      const { status, headers } = await server.fetch(path, { headers: { accept } })
      expect([status, headers.get('content-type')]).toEqual([404, type])
    }
  }
})

test('the list groups devices by their first tag, and shows those with one tag', async () => {
  const page = await visitor.get(pathOf(roof2))
  const saved = await visitor.press(page, 'Save', { name: 'Roof 2', tags: 'south, <mast>' })
  expect(saved.html).toContain(', tags south &lt;mast>.')

  const grouped = await visitor.get('/devices?sort=group')
  expect(grouped.html.match(/scope="colgroup"[^>]*>(?:<bdi>)?([^<]*)/g)?.map((cell) => cell.split('>').at(-1))).toEqual(
    ['south', 'No tag'],
  )
  const tagged = await visitor.get('/devices?tag=south')
  expect([tagged.html.includes(`id="name-${roof2}"`), tagged.html.includes(`id="name-${roof1}"`)]).toEqual([
    true,
    false,
  ])
  expect((await visitor.get('/devices.csv')).html).toContain(',south <mast>,')
})

test('the headers of the list are links: the first click sorts, the second one reverses, and search and filter stay', async () => {
  const sortLink = (html: string) => /<th[^>]*>\s*<a href="([^"]+)">Device</.exec(html)?.[1]?.replaceAll('&amp;', '&')
  const orderOf = (html: string) => [...html.matchAll(/id="name-([^"]+)"/g)].map(([, urn]) => urn)

  const first = await visitor.get(sortLink((await visitor.get('/devices?q=page&state=never')).html) ?? '')
  const reverse = await visitor.get(sortLink(first.html) ?? '')

  expect(new URL(reverse.url).search).toBe('?q=page&state=never&sort=name-last')
  expect([first, reverse].map(({ html }) => /aria-sort="(\w+)"/.exec(html)?.[1])).toEqual(['ascending', 'descending'])
  expect([first, reverse].map(({ html }) => orderOf(html)[0])).toEqual(
    [0, 59].map((n) => `urn:aa:device:fleet:page${n}`),
  )
})

test('a form of the list saves the name and the tags of a device, and returns to the list', async () => {
  const page = await visitor.get('/devices?q=roof2')
  const saved = await visitor.press(page, 'Save', { name: 'South mast', tags: 'south spare' })

  expect([new URL(saved.url).pathname, new URL(saved.url).searchParams.get('q')]).toEqual(['/devices', 'roof2'])
  expect(saved.html).toContain('Saved: South mast, tags south spare.')
  expect(await readDevice(roof2)).toMatchObject({ deviceName: 'South mast', tags: ['south', 'spare'] })
})

test('the newest targets of a device come first, those of one report by name', async () => {
  const report = (...ids: string[]) =>
    aReport({ positions: ids.map((id) => aPosition({ id, target: { ids: [{ id, type: 'ICAO' }] } })) })
  const token = await server.deviceToken('partner', 'newest1')
  await server.post('/v1/position-reports', token, report('AAAAA1'))
  await server.clock.advance(1_000)
  await server.post('/v1/position-reports', token, report('CCCCC3', 'BBBBB2'))
  await server.processed()

  const { html } = await visitor.get(pathOf('urn:aa:device:partner:newest1'))

  expect([...html.matchAll(/<tr data-key="(\w{6})"/g)].map(([, id]) => id)).toEqual(['BBBBB2', 'CCCCC3', 'AAAAA1'])
})

test('a tag that is too long is refused beside its field, with what was typed', async () => {
  const page = await visitor.get(pathOf(roof2))
  const refused = await visitor.press(page, 'Save', { name: 'Roof 2', tags: `north ${'a'.repeat(33)}` })

  expect(refused.html).toContain('A tag has at most 32 characters, without spaces and commas')
  expect(refused.html).toContain(`value="north ${'a'.repeat(33)}"`)
})
