import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aServer, rival, roof1, type ServerUnderTest } from '../../a-server.ts'
import { anAlert, aPicture, aSensor, aTrack, aTrackAt, picturesOf } from '../../air/a-picture.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

const named = (id: string, name: string, height: number) =>
  aTrack({
    id,
    identifiers: [{ id: name, type: 'CallSign' }],
    altitudes: [{ height, datum: 'msl', provenance: 'given' }],
  })

const picture = aPicture({
  tracks: [named('t1', 'ZULU1', 9_000), named('t2', 'ALFA2', 300), named('t3', '<MIKE>', 4_000)],
  alerts: [anAlert()],
  sensors: [aSensor({ deviceId: roof1 })],
  moreAlerts: 12,
})
const pictures = picturesOf({ acme: picture })

const mapFile = join(tmpdir(), `posrep-map-${randomUUID()}.json`)
let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  await writeFile(mapFile, JSON.stringify({ tiles: 'https://tiles.example.com/{z}/{x}/{y}.png' }))
  server = await aServer({ air: pictures, flags: { 'air-map': mapFile } })
  visitor = aPortalVisitor(server)
  await visitor.enter('/air')
})
afterAll(async () => {
  await server.stop()
  await rm(mapFile)
})

const cookie = () => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const toPlain = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const rowNames = (html: string) => [...html.matchAll(/<th scope="row">([^<]*)</g)].map(([, name]) => name)

describe('the page of the air picture', () => {
  test('has everything that the map shows as text: targets, alerts with advice, sensors', async () => {
    const text = toPlain((await visitor.get('/air')).html)

    expect(text).toContain('3 targets')
    expect(text).toMatch(/ZULU1 Aircraft Live .*9,000 m MSL/)
    expect(text).toContain('FIN5LA and drone 1581F45 pass within 213 m')
    expect(text).toContain('FIN5LA: turn 12 degrees to the right')
    expect(text).toContain('12 more are not listed')
    expect(text).toMatch(/Live Roof .* 1,204 positions a minute · lag 0.6 s/)
    expect(text).toContain('Not for navigation')
  })

  test('sorts the table as the address says, and escapes names', async () => {
    const { html } = await visitor.get('/air?sort=altitude&order=descending')

    expect(rowNames(html)).toEqual(['ZULU1', '&lt;MIKE>', 'ALFA2'])
    expect(html).toContain('aria-sort="descending"')
  })

  test('lets images come from the tiles only, and scripts from this server only', async () => {
    const policy = (await server.fetch('/air', { headers: { cookie: cookie() } })).headers.get(
      'content-security-policy',
    )

    expect(policy).toContain("img-src 'self' data: https://tiles.example.com;")
    expect(policy).toContain("script-src 'self';")
  })

  test('of another account shows no target of this one', async () => {
    const other = aPortalVisitor(server)
    const { html } = await other.enter('/air', rival)

    expect(html).toContain('No targets yet')
    expect(html).not.toContain('ZULU1')
  })
})

describe('what the scripts ask for', () => {
  test('is the whole picture first, then what changed', async () => {
    const response = await server.fetch('/air/stream', { headers: { cookie: cookie() } })
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    let text = ''
    const readUntil = async (part: string) => {
      while (!text.includes(part)) text += decoder.decode((await reader?.read())?.value, { stream: true })
    }
    await readUntil('"full":true')
    await readUntil('t3')
    text = ''
    picture.change({ tracks: [aTrackAt('t9', 60, 24)] })

    await readUntil('"full":false')
    await readUntil('t9')
    expect(text).not.toContain('ZULU1')
    await reader?.cancel()
  })

  test('is one target with its history and associations', async () => {
    const response = await server.fetch('/air/tracks/t1', { headers: { cookie: cookie() } })

    expect(await response.json()).toMatchObject({ track: { id: 't1' }, history: [], associations: [] })
    expect((await server.fetch('/air/tracks/gone', { headers: { cookie: cookie() } })).status).toBe(404)
  })

  test('is where the targets were, in a box', async () => {
    const read = (query: string) => server.fetch(`/air/history${query}`, { headers: { cookie: cookie() } })
    const response = await read('?bbox=-180,-90,180,90&seconds=60')

    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ since: '2026-01-07T11:59:32.000Z', truncated: false })
    expect(await (await read('?bbox=0,0,1,1')).json()).toMatchObject({ data: [] })
    expect((await read('?bbox=900,0,1,1')).status).toBe(400)
  })

  test('is the names of the sensors, and the last report of each that was refused', async () => {
    const response = await server.fetch('/air/sensors', { headers: { cookie: cookie() } })

    expect(await response.json()).toEqual({ [roof1]: { name: 'Roof', refused: null } })
  })

  test.each(['/air/stream', '/air/history', '/air/tracks/t1', '/air/sensors'])(
    'is not given without a session: %s',
    async (path) => {
      expect((await server.fetch(path)).status).toBe(403)
    },
  )
})

test('the overview has the map at its head, and the page of a device has the map of its targets', async () => {
  expect((await visitor.get('/')).html).toContain('data-air-map="compact"')
  expect((await visitor.get(`/devices/${roof1}`)).html).toContain(`data-device="${roof1}"`)
})

describe('with the air picture off', () => {
  let without: ServerUnderTest
  let there: PortalVisitor
  beforeAll(async () => {
    without = await aServer({ flags: { air: 'off' } })
    there = aPortalVisitor(without)
    await there.enter('/')
  })
  afterAll(() => without.stop())

  test('its page says so, and what still happens', async () => {
    const { status, html } = await there.get('/air')

    expect(status).toBe(200)
    expect(html).toContain(
      'The air picture is switched off on this server. Reports are accepted and forwarded all the same',
    )
  })

  test.each(['/', `/devices/${roof1}`])('%s has no map, and no link to it except in the navigation', async (path) => {
    const { html } = await there.get(path)

    expect(html).not.toContain('data-air-map')
    expect(html.match(/href="\/air/g)).toHaveLength(1)
  })

  test.each(['stream', 'history', 'tracks/t1', 'sensors'])('there is no /air/%s', async (path) => {
    const sent = [...there.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

    expect((await without.fetch(`/air/${path}`, { headers: { cookie: sent } })).status).toBe(404)
  })
})

test('the page of a device that fell silent links to its alert', async () => {
  const silentSensor = { deviceId: roof1, lastSeen: '2026-01-07T12:00:00.000Z' }
  const { conflict: _, ...alert } = anAlert({
    id: 'a9',
    kind: 'silentSensor',
    text: 'The sensor roof1 sends no reports',
  })
  const [sensor] = picture.sensors()
  onTestFinished(() => picture.change({ sensors: sensor ? [sensor] : [] }))
  picture.change({
    alerts: [{ ...alert, silentSensor }],
    sensors: [aSensor({ deviceId: roof1, state: 'silent', lastSeen: silentSensor.lastSeen })],
  })

  const { html } = await visitor.get(`/devices/${encodeURIComponent(roof1)}`)
  picture.change({ alerts: [{ ...alert, silentSensor, state: 'ended', endedAt: alert.updatedAt }] })

  expect(html).toContain('<a href="/air#air-alerts">Alert: The sensor roof1 sends no reports</a>')
  expect((await visitor.get(`/devices/${encodeURIComponent(roof1)}`)).html).not.toContain('Alert: ')
})
