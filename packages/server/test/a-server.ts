/**
 * The real server for tests: TLS on a free port, in memory, seeded, every answer checked against the document.
 * In: optional settings and clock. Out: its origin, a fetch that trusts its certificate, raw connections, and tokens.
 */
import tls from 'node:tls'
import { vProblem } from '@posrep/spec/validators'
import { Agent, type RequestInit, type Response, fetch as undiciFetch } from 'undici'
import * as v from 'valibot'
import { currentTimeMs, hangsAfterMs } from '../../../testing/real-time.ts'
import { type ServerOptions, startServer } from '../src/composition/server.ts'
import { memoryStorage, openStorage } from '../src/composition/storage/storage.ts'
import { createManualClock, type ManualClock } from '../src/contracts/manual-clock.ts'
import { hashPassword } from '../src/identity/people/password.ts'
import type { Stage } from '../src/pipeline/stage.ts'
import type { Logger } from '../src/ports/logger.ts'
import type { Seed } from '../src/seed/seed-file.ts'
import { type GivenSettings, resolveSettings } from '../src/settings/resolve-settings.ts'

const scopes = ['surveillance_api']
export const callback = 'https://localhost:9443/callback'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }
export const rival = { email: 'rival@example.com', password: 'battery staple 7' }
// A low cost makes the tests quick; the stored hash includes its parameters.
const cheap = { logN: 8, r: 8, p: 1 }
const users = await Promise.all(
  [
    { ...pilot, accountId: 'acme' },
    { ...rival, accountId: 'other' },
  ].map(async ({ password, ...user }) => ({
    ...user,
    id: `user-${user.accountId}`,
    passwordHash: await hashPassword(password, cheap),
    disabled: false,
  })),
)

const fleetGrants: Seed['clients'][number]['grants'] = ['client_credentials', 'refresh_token']
const noRedirects = { redirectUris: [], partner: false }

export const seed: Seed = {
  accounts: [
    { id: 'acme', name: 'Acme Sensing' },
    { id: 'other', name: 'Other Sensing' },
  ],
  users: [
    { ...pilot, account: 'acme' },
    { ...rival, account: 'other' },
  ],
  clients: [
    {
      id: 'app',
      secret: 's3cret-app',
      name: 'App',
      account: 'acme',
      grants: ['authorization_code', 'refresh_token'],
      redirectUris: [callback],
      scopes: [...scopes, 'profile'],
      partner: false,
    },
    {
      id: 'fleet',
      secret: 's3cret-fleet',
      name: 'Fleet',
      account: 'acme',
      grants: fleetGrants,
      scopes,
      ...noRedirects,
    },
    {
      id: 'scopeless',
      secret: 's3cret-scopeless',
      name: 'Scopeless',
      account: 'acme',
      grants: fleetGrants,
      scopes: ['profile'],
      ...noRedirects,
    },
    {
      id: 'partner',
      secret: 's3cret-partner',
      name: 'Partner',
      account: 'acme',
      grants: fleetGrants,
      scopes,
      redirectUris: [],
      partner: true,
    },
    {
      id: 'rival',
      secret: 's3cret-rival',
      name: 'Rival',
      account: 'other',
      grants: fleetGrants,
      scopes,
      ...noRedirects,
    },
  ],
  sensors: [
    { localId: 'roof1', client: 'fleet', name: 'Roof' },
    { localId: 'roof2', client: 'fleet' },
    { localId: 'bare1', client: 'scopeless' },
    { localId: 'roof1', client: 'rival', name: 'Somebody else' },
  ],
}

export const roof1 = 'urn:aa:device:fleet:roof1'
export const roof2 = 'urn:aa:device:fleet:roof2'
export const rivalRoof1 = 'urn:aa:device:rival:roof1'

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A manual clock that can also jump ahead without waking sleepers; cached tokens are dropped then. */
export interface TestClock extends ManualClock {
  leap(ms: number): void
}

function createTestClock(): TestClock {
  // The current time, because TLS checks the development certificate with the real clock.
  const clock = createManualClock(currentTimeMs())
  let leaptMs = 0
  return { ...clock, now: () => clock.now() + leaptMs, leap: (ms) => void (leaptMs += ms) }
}

export interface ServerUnderTest {
  origin: string
  /** The development certificate for `localhost`, for other servers of the test: this server trusts it. */
  certificate: { cert: string; key: string }
  clock: TestClock
  /** Checks every problem answer against the OpenAPI document. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends raw bytes on one connection and returns everything received. */
  raw(request: string): Promise<RawAnswer>
  /** A device token by the client credentials grant. */
  deviceToken(client?: string, localId?: string): Promise<string>
  /** A user token by the authorization code grant, through the pages. */
  userToken(user?: typeof pilot, scope?: string): Promise<string>
  /** An authorization code for the client `app`, through the pages. */
  userCode(): Promise<string>
  /** POST of JSON with a token. */
  post(path: string, token: string, body?: unknown): Promise<Response>
  get(path: string, token: string): Promise<Response>
  /** Resolves when every accepted report has left the pipeline. */
  processed(): Promise<void>
  stop(): Promise<void>
}

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export async function aServer({
  flags = {},
  logger = silentLogger,
  fastPath = true,
  stages = [],
  clients = [],
  sensors = [],
  air,
  terrain,
  storage: given,
}: {
  flags?: GivenSettings
  logger?: Logger
  fastPath?: boolean
  stages?: Stage[]
  /** In addition to those of `seed`. */
  clients?: Seed['clients']
  sensors?: Seed['sensors']
  air?: ServerOptions['air']
  terrain?: URL
  storage?: ServerOptions['storage']
} = {}): Promise<ServerUnderTest> {
  const clock = createTestClock()
  const settings = resolveSettings({ flags: { memory: true, port: '0', ...flags }, environment: {} })
  // --redis takes precedence. The server opens SQLite itself.
  const isInMemory = settings.memory && settings.redis === undefined
  const redis =
    settings.redis === undefined
      ? undefined
      : await openStorage({ settings, clock, logger, role: 'server', redisAnswerMs: hangsAfterMs })
  const storage = given ?? redis ?? (isInMemory ? memoryStorage({ clock }) : undefined)
  // The seed skips users that exist.
  if (isInMemory) for (const user of users) await storage?.directory.insert('user', user)
  const server = await startServer({
    settings,
    clock,
    logger,
    version: '1.2.3',
    seeds: [{ ...seed, clients: [...seed.clients, ...clients], sensors: [...seed.sensors, ...sensors] }],
    // With the compat profile, recent reports contain the sender's mistakes.
    validateResponses: settings.ingestProfile === 'strict',
    fastPath,
    stages,
    ...(air && { air }),
    ...(terrain && { terrain }),
    ...(storage && { storage }),
  })
  const origin = server.localOrigin
  const { ca, cert = '', key = '' } = server.development ?? {}
  const dispatcher = new Agent({ connect: { ca } })
  const tokens = new Map<string, Promise<string>>()

  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await undiciFetch(path.startsWith('https:') ? path : `${origin}${path}`, {
      dispatcher,
      redirect: 'manual',
      ...init,
    })
    if (init.method !== 'HEAD' && response.headers.get('content-type')?.startsWith('application/problem+json')) {
      v.parse(vProblem, await response.clone().json())
    }
    return response
  }

  function once(key: string, create: () => Promise<string>): Promise<string> {
    let token = tokens.get(key)
    if (!token) tokens.set(key, (token = create()))
    return token
  }

  async function requestToken(client: string, grant: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ client_id: client, client_secret: `s3cret-${client}`, ...grant })
    const response = await fetch('/oauth/v2/token', { method: 'POST', body })
    const answer = (await response.json()) as { access_token?: string }
    if (answer.access_token === undefined) throw new Error(`No token for "${client}": ${JSON.stringify(answer)}`)
    return answer.access_token
  }

  return {
    origin,
    certificate: { cert, key },
    clock: {
      ...clock,
      leap(ms) {
        clock.leap(ms)
        tokens.clear()
      },
    },
    fetch,
    raw: (request) => exchange({ port: server.port, ca, request }),
    deviceToken: (client = 'fleet', localId = 'roof1') =>
      once(`${client} ${localId}`, () =>
        requestToken(client, { grant_type: 'client_credentials', token_format: 'jwt', device_id: localId }),
      ),
    userCode: () => approve({ fetch, user: pilot, scope: 'surveillance_api' }),
    userToken: (user = pilot, scope = 'surveillance_api') =>
      once(`${user.email} ${scope}`, async () => {
        const code = await approve({ fetch, user, scope })
        return requestToken('app', { grant_type: 'authorization_code', code, redirect_uri: callback })
      }),
    post: (path, token, body) =>
      fetch(path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    get: (path, token) => fetch(path, { headers: { authorization: `Bearer ${token}` } }),
    async processed() {
      const { accepted } = counted(await server.app.metrics.text())
      for (let turns = 0; counted(await server.app.metrics.text()).processed < accepted; turns++) {
        if (turns > 1_000) throw new Error('The pipeline did not process every report')
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async stop() {
      // Tests need not read the bodies of answers: a graceful close would wait for those.
      await dispatcher.destroy()
      await server.stop()
    },
  }
}

function counted(metrics: string): { accepted: number; processed: number } {
  const of = (step: string) =>
    Number(new RegExp(`posrep_reports_total\\{step="${step}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
  return { accepted: of('accepted'), processed: of('processed') }
}

type Fetch = ServerUnderTest['fetch']

/** Signs in and approves with the forms of the pages. */
async function approve({ fetch, user, scope }: { fetch: Fetch; user: typeof pilot; scope: string }): Promise<string> {
  const cookies = new Map<string, string>()

  async function go(path: string, form?: Record<string, string>): Promise<{ path: string; html: string }> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(path, {
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const html = await response.text()
    const location = response.headers.get('location')
    return location === null || location.startsWith(callback) ? { path: location ?? path, html } : go(location)
  }

  function submit({ html }: { html: string }, fields: Record<string, string>): Promise<{ path: string; html: string }> {
    const hidden = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1] ?? ''
    return go(action, { form_token: hidden, ...fields })
  }

  const query = new URLSearchParams({ client_id: 'app', response_type: 'code', scope, redirect_uri: callback })
  const signInPage = await go(`/oauth/v2/authorize?${query}`)
  const approvalPage = await submit(signInPage, { ...user, action: 'sign-in' })
  const { path } = await submit(approvalPage, { decision: 'approve' })
  const code = new URL(path, callback).searchParams.get('code')
  if (code === null) throw new Error(`No code: ${path}`)
  return code
}

function exchange({
  port,
  ca,
  request,
}: {
  port: number
  ca: string | undefined
  request: string
}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: 'localhost', ...(ca && { ca }) }, () => socket.write(request, 'latin1'))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      socket.destroy()
      resolve(toAnswer(text))
    })
  })
}

function toAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: */, '')])
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body }
}
