/**
 * docs/firmware.md against the server: each curl command and each raw request gets the answer that the page shows, and
 * the facts of its table hold. In the page `…` stands for a value that differs each time. In packages/server/test are
 * what needs a store that fails (composition/unavailable-storage.test.ts) and a clock that moves
 * (identity/tokens/lifetimes-of-devices.test.ts).
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentTimeMs, until } from '../../testing/real-time.ts'
import { aUser } from '../parts/a-user.ts'
import { testWith } from '../parts/requirements.ts'
import { deviceUrn, seed } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

/** A request as a command and as bytes, and its answer: the bytes, or only the JSON of its body. */
interface Exchange {
  command: string
  request: string
  answer: string
}

interface Answer {
  head: string
  body: string
}

/** Its tokens lack the scope of reports. */
const narrow = {
  ...seed.clients[1],
  id: 'narrow',
  secret: 's3cret-narrow',
  urnPart: 'narrow',
  scopes: ['profile'],
}
const seedOfPage = {
  ...seed,
  clients: [...seed.clients, narrow],
  sensors: [...seed.sensors, { localId: 'roof3', client: narrow.id }],
}

let page: string
let exchanges: Exchange[]
let location: ServerLocation
let server: ServerProcess
const variables = { ACCESS_TOKEN: '', REFRESH_TOKEN: '', TOKEN_WITHOUT_SCOPE: '' }

beforeAll(async () => {
  page = await readFile(new URL('../../docs/firmware.md', import.meta.url), 'utf8')
  const blocks = /^```sh\n([^`]*)^```\n\n```http\n(POST [^`]*)^```\n\n```(?:http|json)\n([^`]*)^```$/gm
  exchanges = [...page.matchAll(blocks)].map(([, command = '', request = '', answer = '']) => ({
    command,
    request,
    answer,
  }))
  location = await aServerLocation(seedOfPage)
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  await writeFile(join(location.folder, 'ca.pem'), server.certificate.ca)
  variables.TOKEN_WITHOUT_SCOPE = await tokenWithoutScope()
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

test('the page has the exchanges that are tested here, each as a command and as bytes', () => {
  expect(exchanges).toHaveLength(page.match(/^```sh$/gm)?.length ?? 0)
  expect(exchanges.map(({ answer }) => statusOf(answer)).join(' ')).toBe(
    '200 200 200 202 404 400 429 401 401 400 400 429 401 401 403 413 415 400 403',
  )
})

testWith('curl', 'docs/firmware.md with curl')('each curl command gets the answer that stands below it', async () => {
  await pressPair()
  for (const { command, request, answer } of exchanges) {
    await expectAnswer(() => curl(command), request, answer)
  }
})

test('each request as bytes gets the answer that stands below it', async () => {
  await pressPair()
  for (const { request, answer } of exchanges) {
    await expectAnswer(() => sendBytes(request), request, answer)
  }
})

test('the lengths of the bodies are right', () => {
  for (const text of exchanges.flatMap(({ request, answer }) => [request, answer])) {
    const [head = '', body = ''] = withRefreshToken(text).split('\n\n')
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1] ?? Number.NaN)
    // The 1 MiB is not shown, nor are tokens whose lengths differ.
    if (Number.isNaN(length) || length > 1_048_576 || body.includes('$')) continue
    expect(length).toBe(Buffer.byteLength(body.trimEnd()))
  }
})

test('a token has the size and the characters of the table', () => {
  expect(factOf('access token of a device')).toMatch(/fewer than 996 bytes, printable ASCII/)
  expect(variables.ACCESS_TOKEN).toMatch(/^[\x21-\x7e]{1,995}$/)
  expect(factOf('refresh token')).toMatch(/fewer than 128 bytes, printable ASCII/)
  expect(variables.REFRESH_TOKEN).toMatch(/^[\x21-\x7e]{1,127}$/)
})

test('a position, and one in a batch with gzip, have the size of the table', () => {
  const { positions } = JSON.parse(exchanges[3]?.request.split('\n\n')[1] ?? '')
  const position = JSON.stringify(positions[0])
  const batch = Array.from({ length: 100 }, (_, n) => ({
    ...positions[0],
    id: `${n}-1767767700`,
    sourceTimeStamp: new Date(1_767_767_700_000 + n * 137).toISOString(),
    target: { ids: [{ id: (0x461000 + ((n * 7_919) % 60) * 4_096).toString(16), type: 'ICAO' }] },
    position: { lat: 60 + ((n * 0.734_567) % 1), lon: 24 + ((n * 0.312_345) % 1) },
  }))

  expect(factOf('one position with the minimum for the map')).toMatch(/about 250 bytes .* 100 .* about 50 bytes/)
  expect(position.length).toBeGreaterThan(200)
  expect(position.length).toBeLessThan(260)
  expect(gzipSync(JSON.stringify({ positions: batch })).length / 100).toBeLessThan(60)
})

test('a report takes 1 to 1,000 positions of at most 1 MiB, and gzip', async () => {
  const report = (count: number) => JSON.stringify({ positions: Array.from({ length: count }, () => aPosition()) })
  const inflated = `${report(1).slice(0, -1)},"padding":"${'x'.repeat(1_048_576)}"}`

  expect(factOf('a report')).toMatch(/^1 to 1,000 positions, at most 1 MiB;/)
  expect(factOf('`Content-Encoding: gzip`')).toBe('allowed for reports')
  expect(await statusOfReport(report(0))).toBe(400)
  expect(await statusOfReport(report(1_000))).toBe(202)
  expect(await statusOfReport(report(1_001))).toBe(400)
  expect(await statusOfReport(gzipSync(report(100)), { 'content-encoding': 'gzip' })).toBe(202)
  expect(await statusOfReport(gzipSync(inflated), { 'content-encoding': 'gzip' })).toBe(413)
})

test('one connection takes request after request, and the server says how long it stays open', async () => {
  const [, , , report] = exchanges
  const answers = await sendOnOneConnection(report?.request ?? '', 3)

  expect(factOf('connections')).toMatch(/^kept open for 65 s/)
  expect(answers.match(/^HTTP\/1\.1 202 Accepted\r$/gm)).toHaveLength(3)
  expect(answers.match(/^Keep-Alive: timeout=65\r$/gm)).toHaveLength(3)
})

test('a repetition of a position is recognised by its id', async () => {
  const user = await aUser(server)
  const body = JSON.stringify({ positions: [{ ...aPosition(), id: 'repeated' }] })

  expect(factOf('retries')).toMatch(/^same `id` for the same position, so that a repetition is recognised/)
  expect([await statusOfReport(body), await statusOfReport(body)]).toEqual([202, 202])
  await until('the second one is tagged', async () => {
    const { data } = await user.listRecentReports(deviceUrn)
    return data.some(({ tags, positions }) => tags?.includes('duplicate') && positions[0]?.id === 'repeated')
  })
})

function aPosition() {
  return { id: 'x', sourceTimeStamp: new Date(currentTimeMs()).toISOString(), position: { lat: 60.3172, lon: 24.9633 } }
}

/** The second column of a row of the table. */
function factOf(name: string): string {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} `))
  return row?.split('|')[2]?.trim() ?? ''
}

async function pressPair(): Promise<void> {
  const user = await aUser(server)
  await user.createPairingRequest(deviceUrn)
}

async function expectAnswer(send: () => Answer | Promise<Answer>, request: string, shown: string): Promise<void> {
  const status = statusOf(shown)
  let answer = await send()
  // A limit is reached by the requests before this one, in the same second.
  for (let turn = 0; status === 429 && statusOf(answer.head) !== 429 && turn < 20; turn += 1) {
    await sendUntilLimited(request)
    answer = await send()
  }
  expect(statusOf(answer.head)).toBe(status)
  expect(answer.head.length).toBeLessThan(2_048)
  expect(answer.body.length).toBeLessThan(2_048)
  const [head = '', body = ''] = shown.startsWith('HTTP/1.1') ? shown.split('\n\n') : ['', compact(shown)]
  for (const line of head.split('\n')) expect(`${answer.head}\n`).toMatch(new RegExp(`^${toPattern(line)}$`, 'm'))
  expect(answer.body).toMatch(new RegExp(`^${toPattern(body.trimEnd())}$`))
}

/** JSON that stands alone is the body of a 200. */
function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1] ?? 200)
}

/** The same members with the same values in the same order, without white space. */
function compact(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

function toPattern(text: string): string {
  return (
    text
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[^"]+')
      // Some seconds may have passed since the token was issued, or since the limit was reached.
      .replaceAll('86400', '86(?:400|39\\d)')
      .replaceAll(/(Retry-After: |try again in )\d+/g, '$1\\d+')
  )
}

function withVariables(text: string): string {
  return text
    .replaceAll('localhost:8443', new URL(server.ready.origin).host)
    .replaceAll(/\$(\w+)/g, (whole, name: keyof typeof variables) => variables[name] ?? whole)
}

/** The page says the length for a refresh token of 75 bytes. */
function withRefreshToken(text: string): string {
  return text.replace('$REFRESH_TOKEN', 'x'.repeat(75))
}

function curl(command: string): Answer {
  const quiet = withVariables(command.trim()).replace('curl ', 'curl -s -i ')
  const { stdout } = spawnSync('sh', ['-c', quiet], { cwd: location.folder, encoding: 'utf8' })
  return toAnswer(stdout)
}

/** Sends the block with CR LF, and with the length of the body after the tokens were put in. */
async function sendBytes(request: string): Promise<Answer> {
  return toAnswer(await sendText(toBytes(request, 'Connection: close')))
}

async function sendOnOneConnection(request: string, times: number): Promise<string> {
  const all = Array.from({ length: times }, () => toBytes(request, 'Connection: keep-alive')).join('')
  return sendText(all, (text) => text.split('HTTP/1.1 ').length > times && text.endsWith('\r\n\r\n'))
}

function toBytes(request: string, line: string): string {
  const [head = '', body = ''] = withVariables(request).split('\n\n')
  const content = body.trimEnd()
  const length = `Content-Length: ${Buffer.byteLength(content)}`
  const lines = (content === '' ? head : head.replace(/Content-Length: \d+/, length)).split('\n')
  return `${lines.join('\r\n')}\r\n${line}\r\n\r\n${content}`
}

async function sendText(bytes: string, isEnough = (_: string) => false): Promise<string> {
  const { hostname, port } = new URL(server.ready.origin)
  const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca: server.certificate.ca })
  await once(socket, 'secureConnect')
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk
    if (isEnough(text)) break
  }
  return text
}

function toAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  const answer = { head: text.slice(0, end).replaceAll('\r\n', '\n'), body: text.slice(end + 4) }
  const tokens = answer.body.startsWith('{') ? JSON.parse(answer.body) : {}
  variables.ACCESS_TOKEN = tokens.access_token ?? tokens.accessToken ?? variables.ACCESS_TOKEN
  variables.REFRESH_TOKEN = tokens.refresh_token ?? tokens.refreshToken ?? variables.REFRESH_TOKEN
  return answer
}

/** Over connections that are kept open, so that it is quick. */
async function sendUntilLimited(request: string): Promise<void> {
  const [head = '', body = ''] = withVariables(request).split('\n\n')
  const url = new URL(head.split(' ')[1] ?? '', server.ready.origin)
  const type = /Content-Type: (\S+)/.exec(head)?.[1] ?? ''
  for (let count = 0; count < 200; count += 1) {
    const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: body.trimEnd() })
    if (status === 429) return
  }
}

async function statusOfReport(body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  const { status } = await fetch(`${server.ready.ingestOrigin}/v1/position-reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${variables.ACCESS_TOKEN}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return status
}

async function tokenWithoutScope(): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: narrow.id,
    client_secret: narrow.secret,
    device_id: 'roof3',
  }
  const response = await fetch(`${server.ready.authOrigin}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}
