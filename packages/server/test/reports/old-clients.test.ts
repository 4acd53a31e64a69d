/**
 * Public programs that were written for this API, played byte for byte. In the folder old-clients is what they send:
 * the vendor's firmware, a ground station's sign-in, a partner's example. Codes, secrets and tokens are put in where
 * the programs put them.
 */
import { readFile } from 'node:fs/promises'
import tls from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { aServer, callback, type ServerUnderTest } from '../a-server.ts'

const imei = '490154203237518'
const scout = `urn:aa:device:fleet:imei:${imei}`
const drone = 'urn:aa:device:fleet:my.uav.sensor.001'
const sensors = [
  { localId: `imei:${imei}`, client: 'fleet' },
  { localId: 'my.uav.sensor.001', client: 'fleet' },
  { localId: 'imei:350000000000006', client: 'fleet' },
]

let compat: ServerUnderTest
let strict: ServerUnderTest
beforeAll(async () => {
  const flags = { 'sensor-id-policy': 'compat' }
  compat = await aServer({ flags: { ...flags, 'ingest-profile': 'compat' }, sensors })
  strict = await aServer({ flags, sensors })
})
afterAll(() => Promise.all([compat.stop(), strict.stop()]))
// Advance by the polling interval of a device, so that no limit is exceeded.
beforeEach(() => Promise.all([compat.clock.advance(2_000), strict.clock.advance(2_000)]))

function sent(file: string): Promise<string> {
  return readFile(new URL(`old-clients/${file}`, import.meta.url), 'utf8')
}

async function pair(server: ServerUnderTest): Promise<void> {
  const response = await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: scout })
  expect(response.status).toBe(201)
}

/** What the firmware finds by position in the answer: the token, and the expiry's date and time. */
function scoutRead(answer: string) {
  const [, token = '', expiry = ''] =
    /"accessToken":"([^"]{1,996})".*"expiresAt":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/.exec(answer) ?? []
  return { token, expiry }
}

test('the firmware polls without a pairing request, pairs, and reports on one connection', async () => {
  const connection = openConnection(compat)
  const poll = await sent('scout-consume-token.http')
  expect((await connection.send(poll)).status).toBe(404)
  await pair(compat)
  await compat.clock.advance(2_000)
  const paired = await connection.send(poll)
  const { token, expiry } = scoutRead(paired.body)
  expect([paired.status, expiry]).toEqual([200, expect.any(String)])
  expect(Date.parse(`${expiry}Z`)).toBeGreaterThan(compat.clock.now())

  const report = await sent('scout-report.http')
  for (let id = 0; id < 3; id++) {
    const next = report.replace('"id":"0"', `"id":"${id}"`).replace('$TOKEN', token)
    expect((await connection.send(next)).status).toBe(202)
  }
  const withAltitude = await sent('scout-report-with-altitude.json')
  expect((await compat.post('/v1/position-reports', token, withAltitude)).status).toBe(202)

  await compat.processed()
  const recent = await (await compat.get(`/v1/devices/${scout}/recent`, await compat.userToken())).text()
  const { data } = JSON.parse(recent) as { data: { tags: string[] }[] }
  expect(data).toHaveLength(4)
  for (const { tags } of data) expect(tags).toContain('mended')
  expect(recent).toContain(`"${imei}"`)
})

test('the strict profile refuses the report of the firmware, and that of another IMEI is refused always', async () => {
  for (const [server, id] of [
    [strict, imei],
    [compat, '350000000000006'],
    [compat, `imei:${imei.slice(0, -1)}`],
  ] as const) {
    const position = { id: '1', sourceTimeStamp: '2026-11-05T09:04:07Z', position: { lat: 60, lon: 24 } }
    const token = await server.deviceToken('fleet', `imei:${imei}`)
    const response = await server.post('/v1/position-reports', token, { sensor: { id }, positions: [position] })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'sensor_mismatch'])
  }
})

test('a report of the firmware that is only mended in its sensor has the tag', async () => {
  const position = { id: 'padded', sourceTimeStamp: '2026-11-05T09:04:07Z', position: { lat: 60, lon: 24 } }
  const token = await compat.deviceToken('fleet', `imei:${imei}`)
  const report = { sensor: { id: imei }, positions: [position] }
  expect((await compat.post('/v1/position-reports', token, report)).status).toBe(202)

  await compat.processed()
  const answer = await compat.get(`/v1/devices/${scout}/recent`, await compat.userToken())
  const { data } = (await answer.json()) as { data: { positions: { id: string }[]; tags: string[] }[] }
  expect(data.find(({ positions }) => positions[0]?.id === 'padded')?.tags).toContain('mended')
})

test('the ground station gets tokens for its code, and again for its refresh token', async () => {
  const form = (text: string, values: Record<string, string>) =>
    Object.entries(values).reduce((whole, [name, value]) => whole.replace(name, encodeURIComponent(value)), text)
  const own = { 'map-view': 'app', SECRET: 's3cret-app', 'https%3A%2F%2Fexample.com%2Fcallback': callback }

  const code = form(await sent('mission-planner-code.form'), { ...own, CODE: await compat.userCode() })
  const first = await post(compat, code)
  expect(first).toMatchObject({ token_type: expect.stringMatching(/^bearer$/i), expires_in: expect.any(Number) })
  const refresh = form(await sent('mission-planner-refresh.form'), { ...own, REFRESH: first.refresh_token })
  const second = await post(compat, refresh)

  const { exp } = JSON.parse(Buffer.from(second.access_token.split('.')[1] ?? '', 'base64url').toString())
  expect(exp).toBeGreaterThan(compat.clock.now() / 1_000)
  expect((await compat.get('/v1/devices', second.access_token)).status).toBe(200)
})

test("the partner's example gets a token and reports, and its times are named as ones without an offset", async () => {
  for (const server of [compat, strict]) {
    const form = (await sent('partner-token.form')).replace('SECRET', 's3cret-fleet')
    const answer = await post(server, form)
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(['access_token', 'token_type', 'expires_in', 'refresh_token']),
    )
    const report = await sent('partner-report.json')
    expect((await server.post('/v1/position-reports', answer.access_token, report)).status).toBe(202)

    await server.processed()
    const recent = await server.get(`/v1/devices/${drone}/recent`, await server.userToken())
    const { data } = (await recent.json()) as { data: { tags: string[] }[] }
    expect(data[0]?.tags).toContain('no-offset')
  }
})

interface Tokens {
  access_token: string
  refresh_token: string
}

async function post(server: ServerUnderTest, body: string): Promise<Tokens> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await server.fetch('/oauth/v2/token', { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return (await response.json()) as Tokens
}

/** One connection that is kept alive. Answers have a length. */
function openConnection({ origin }: ServerUnderTest) {
  const socket = tls.connect({ port: Number(new URL(origin).port), host: 'localhost', rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  socket.setEncoding('utf8')
  let received = ''
  let onAnswer = () => {}
  socket.on('data', (text) => {
    received += text
    onAnswer()
  })

  function takeAnswer(): { status: number; body: string } | undefined {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = received.slice(0, end)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return undefined
    const body = received.slice(end + 4, end + 4 + length)
    received = received.slice(end + 4 + length)
    return { status: Number(head.split(' ')[1]), body }
  }

  return {
    send(request: string): Promise<{ status: number; body: string }> {
      return new Promise((resolve, reject) => {
        socket.once('error', reject)
        onAnswer = () => {
          const answer = takeAnswer()
          if (answer) resolve(answer)
        }
        socket.write(request)
      })
    },
  }
}
