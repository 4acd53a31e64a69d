import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPosition } from '../support/an-agent.ts'

// Each test starts a process or two.
vi.setConfig({ testTimeout: 30_000 })

const bin = fileURLToPath(new URL('../../src/bin/agent.ts', import.meta.url))
const efhk = fileURLToPath(new URL('../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url))
const secret = 's3cret-fleet'
let folder = ''
let server: Server
let origin = ''
let bodies: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-agent-'))
  bodies = []
  answer = (_, response) => response.writeHead(202).end()
  server = createServer(async (request, response) => {
    const isCompressed = request.headers['content-encoding'] === 'gzip'
    const body = await text(isCompressed ? request.pipe(createGunzip()) : request)
    if (request.url === '/oauth/v2/token') return grant(body, response)
    if (request.url === '/v1/pairing-tokens/consume-token?clientUniqueId=roof1') return pair(response)
    bodies.push(body)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening server has an address with a port.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

test('send reports the lines of standard input unchanged and exits with 0', async () => {
  const lines = [
    `{"id":"1", "sourceTimeStamp":"2026-11-21T12:00:00Z","position":{"lat":6.0e1,"lon":25},"new":1e2}`,
    JSON.stringify(aPosition(2)),
  ]

  const { code, stderr } = await agent(['send'], { input: `${lines.join('\n')}\n\n` })

  expect(bodies).toEqual([`{"sensor":{"id":"roof1"},"positions":[${lines.join(',')}]}`])
  expect(stderr).toBe('posrep-agent: 2 accepted, 0 refused, 0 dropped, 0 not sent, 0 unreadable\n')
  expect(code).toBe(0)
})

test('a line that is not a position is logged with its number, the others are sent, and the exit status is 1', async () => {
  const { code, stderr } = await agent(['send'], { input: `nonsense\n${JSON.stringify(aPosition(2))}\n{"id":"3"}\n` })

  expect(stderr).toContain('line 1: positions[0] is not JSON: nonsense')
  expect(stderr).toContain('line 3: ')
  expect(stderr).toContain('1 accepted, 0 refused, 0 dropped, 0 not sent, 2 unreadable')
  expect(code).toBe(1)
})

test('replay plays the recording to its end and exits', async () => {
  const { code, stderr } = await agent(['replay', efhk, '--speed', '100000'])

  const ids = bodies.flatMap((body) =>
    (JSON.parse(body) as { positions: { id: string }[] }).positions.map(({ id }) => id),
  )
  expect(new Set(ids).size).toBe(11_128)
  expect(stderr).toBe('posrep-agent: 11128 accepted, 0 refused, 0 dropped, 0 not sent, 0 unreadable\n')
  expect(code).toBe(0)
})

test('SIGTERM stops a replay, sends what is in the spool and exits with 0', async () => {
  const child = start(['replay', efhk, '--loop'])
  await until(() => bodies.length > 0)

  child.process.kill('SIGTERM')
  const { code, stderr } = await child.ended

  expect(stderr).toMatch(/^posrep-agent: \d+ accepted, 0 refused, 0 dropped, 0 not sent, 0 unreadable\n$/)
  expect(code).toBe(0)
})

test('SIGINT stops reading standard input that is still open', async () => {
  const child = start(['send'])
  child.process.stdin.write(`${JSON.stringify(aPosition('1'))}\n`)
  await until(() => bodies.length > 0)

  child.process.kill('SIGINT')

  expect(await child.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('1 accepted') })
})

test('a second signal ends the process at once', async () => {
  answer = (_, response) => response.writeHead(503).end()
  const child = start(['replay', efhk])
  await until(() => bodies.length > 0)

  child.process.kill('SIGTERM')
  await until(() => bodies.length > 1)
  child.process.kill('SIGTERM')

  expect(await child.ended).toMatchObject({ code: 130 })
})

test('pair waits until Pair is pressed, stores the tokens in the file, and sends standard input', async () => {
  const tokens = join(folder, 'tokens.json')
  const args = ['pair', '--tokens', tokens]

  const first = await agent(args, { input: `${JSON.stringify(aPosition(1))}\n`, client: false })
  const second = await agent(args, { input: `${JSON.stringify(aPosition(2))}\n`, client: false })

  expect(first.stderr).toContain('waiting for a user to press Pair for sensor "roof1"')
  expect(first.stderr).toContain('paired as urn:aa:device:acme:roof1')
  expect([first.code, second.code]).toEqual([0, 0])
  expect(pairings).toBe(1)
  expect(bodies).toHaveLength(2)
  expect(await readFile(tokens, 'utf8')).toContain('paired-access')
  expect(first.stderr + second.stderr).not.toMatch(/paired-access|paired-refresh/)
})

test('a PEM file with a certificate is accepted as the CA', async () => {
  const ca = fileURLToPath(new URL('../fixtures/ca.pem', import.meta.url))
  const { code, stderr } = await agent(['send', '--ca', ca], { input: JSON.stringify(aPosition(1)) })

  expect([code, stderr]).toEqual([0, 'posrep-agent: 1 accepted, 0 refused, 0 dropped, 0 not sent, 0 unreadable\n'])
})

test('each setting is also read from the environment, and a flag overrides it', async () => {
  const env = {
    POSREP_AGENT_INGEST: origin,
    POSREP_AGENT_AUTH: origin,
    POSREP_AGENT_SENSOR: 'other',
    POSREP_AGENT_CLIENT_ID: 'fleet',
    POSREP_AGENT_CLIENT_SECRET: secret,
  }

  const { code } = await agent(['send', '--sensor', 'roof1'], {
    env,
    client: false,
    service: false,
    input: JSON.stringify(aPosition(1)),
  })

  expect(code).toBe(0)
  expect(bodies[0]).toContain('"sensor":{"id":"roof1"}')
})

test.each([
  ['no ingest', ['send'], { service: false }, /--ingest/],
  ['an ingest that is not a URL', ['send', '--ingest', 'nowhere'], {}, /"--ingest" must be a URL/],
  ['an ingest over plain HTTP', ['send', '--ingest', 'http://ingest.example'], {}, /"--ingest" must be an https URL/],
  ['an identity provider that is not a URL', ['send', '--auth', 'x'], {}, /"--auth" must be a URL/],
  ['an empty sensor', ['send', '--sensor', ''], {}, /"--sensor" must not be empty/],
  ['a blank sensor', ['send', '--sensor', '  '], {}, /"--sensor" must not be empty/],
  ['a missing CA file', ['send', '--ca', '/nowhere.pem'], {}, /"--ca" cannot be read: ENOENT/],
  ['a CA file without a certificate', ['send', '--ca', bin], {}, /"--ca" must be a PEM file/],
  ['a missing recording', ['replay', '/nowhere.sbs'], {}, /"recording" cannot be read: ENOENT/],
  ['a speed of zero', ['replay', efhk, '--speed', '0'], {}, /"--speed" must be a number of 0.001 or more, got "0"/],
  ['a time zone that does not exist', ['replay', efhk, '--time-zone', 'Mars'], {}, /"--time-zone" must be a time zone/],
  ['an unknown option', ['send', '--fast'], {}, /unknown option '--fast'/],
  ['an unknown command', ['fly'], { service: false, client: false }, /unknown command 'fly'/],
  ['no recording', ['replay'], {}, /missing required argument 'recording'/],
  [
    'a wrong secret',
    ['send', '--client-secret', 'wr0ng'],
    {},
    /401 invalid_client.*check client "fleet", its secret and sensor "roof1"/,
  ],
])('%s is reported in one line, and the exit status is 2', async (_, args, options, message) => {
  const { code, stderr } = await agent(args, options)

  expect(stderr).toMatch(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/s3cret|wr0ng/)
  expect(code).toBe(2)
})

test('a truncated recording is reported, and the positions before the end are sent', async () => {
  const file = join(folder, 'cut.sbs.gz')
  await writeFile(file, (await readFile(efhk)).subarray(0, 20_000))

  const { code, stderr } = await agent(['replay', file, '--speed', '100000'])

  expect(stderr).toMatch(/cannot be played: unexpected end of file\n.*[1-9]\d* accepted, .* 1 unreadable/)
  expect(code).toBe(1)
})

test('--help exits with 0', async () => {
  expect(await agent(['--help'], { service: false, client: false })).toMatchObject({ code: 0, stderr: '' })
})

let pairings = 0

function pair(response: ServerResponse): void {
  pairings += 1
  const tokens = {
    accessToken: 'paired-access',
    refreshToken: 'paired-refresh',
    expiresAt: '2099-01-01T00:00:00+00:00',
  }
  json(response, 200, { id: 'pr_1', sensorId: 'urn:aa:device:acme:roof1', clientUniqueId: 'roof1', ...tokens })
}

function grant(body: string, response: ServerResponse): void {
  const isRight = new URLSearchParams(body).get('client_secret') === secret
  if (isRight) json(response, 200, { access_token: 'access', token_type: 'bearer', expires_in: 3_600 })
  else json(response, 401, { error: 'invalid_client' })
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

interface Call {
  input?: string
  env?: Record<string, string>
  /** Whether to pass `--ingest` and `--sensor`. */
  service?: boolean
  /** Whether to pass the client's options. */
  client?: boolean
}

function agent(args: string[], { input = '', ...call }: Call = {}): Promise<{ code: number | null; stderr: string }> {
  const { process, ended } = start(args, call)
  process.stdin.on('error', () => undefined)
  process.stdin.end(input)
  return ended
}

function start(
  [command = '', ...args]: string[],
  { env = {}, service = true, client = command !== 'pair' }: Call = {},
) {
  const given = [
    ...(service ? ['--ingest', origin, '--sensor', 'roof1'] : []),
    ...(client ? ['--auth', origin, '--client-id', 'fleet', '--client-secret', secret] : []),
  ]
  const child = spawn(process.execPath, ['--conditions=@posrep/source', bin, command, ...given, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, stderr }))
  return { process: child, ended }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
