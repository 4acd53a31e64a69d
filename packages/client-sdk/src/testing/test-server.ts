/**
 * Starts the real server in this process, in memory, for the tests of an app.
 * In: the app's redirect URI and the devices. Out: its origin, its user, and functions to sign in, report and move the
 * time.
 */
import type { PositionReport } from '@posrep/spec'
import { createClient } from '../calls/create-client.ts'
import { checkNoOthers } from '../origins.ts'
import type { Clock } from '../ports.ts'
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts'
import { type Person, signInOnPages } from './sign-in-pages.ts'

export interface TestServerOptions {
  /** Of the app's client. Default `test-app`. */
  clientId?: string
  /** Of the app's client. Default `https://app.example.net/callback`. */
  redirectUri?: string
  /** Default: none, so the client is public, as in browsers. */
  clientSecret?: string
  /** Local IDs of the devices. Default `roof1`. */
  devices?: string[]
}

export interface TestServer {
  /** `http://localhost:<port>`: plain HTTP, so that no certificate has to be trusted. */
  origin: string
  /** Options for createPosrep(), without its `tokenStore`. Add `clock` to move the SDK's time with the server's. */
  options: { origin: string; clientId: string; clientSecret: string | undefined; redirectUri: string }
  /** The user that `signIn()` signs in, with the password. */
  user: Person
  /** URNs of the devices. */
  deviceUrns: string[]
  /** The server's clock. */
  clock: Clock
  /** Moves the server's time ahead, in ms: user tokens end after 15 minutes, device tokens after 24 hours. */
  advance(ms: number): void
  /**
   * Does what the user does on the pages of startSignIn()'s `url`: signs in and approves. Resolves with the callback's
   * URL.
   */
  signIn(url: string): Promise<string>
  /** Submits a report as the first device, or as the device with this URN. */
  report(report: PositionReport, deviceUrn?: string): Promise<void>
  /** Ends the server and its connections. */
  stop(): Promise<void>
}

/** What is used of `@posrep/server`, which is not a dependency of this package. */
interface ServerModule {
  resolveSettings(sources: { flags: Record<string, unknown>; environment: object }): unknown
  startServer(options: {
    settings: unknown
    clock: ShiftedClock
    logger: object
    version: string
    seeds: object[]
  }): Promise<{ localOrigin: string; stop(): Promise<void> }>
}

const user: Person = { email: 'pilot@example.com', password: 'correct horse 42' }
const fleet = { id: 'test-fleet', secret: 's3cret-test-fleet' }

/**
 * @throws Error when `@posrep/server` is not installed, or Node is too old for it
 *
 * @example
 * ```ts
 * import { startTestServer } from '@posrep/client-sdk/testing'
 *
 * const server = await startTestServer()
 * // … tests of your app, against server.origin
 * await server.stop()
 * ```
 */
export async function startTestServer({
  clientId = 'test-app',
  redirectUri = 'https://app.example.net/callback',
  clientSecret,
  devices = ['roof1'],
  ...others
}: TestServerOptions = {}): Promise<TestServer> {
  checkNoOthers(others, 'startTestServer')
  const { resolveSettings, startServer } = await importServer()
  const clock = createShiftedClock()
  const flags = { memory: true, 'insecure-http': true, port: '0', 'allow-loopback-redirects': true }
  const server = await startServer({
    settings: resolveSettings({ flags, environment: {} }),
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    version: 'test',
    seeds: [toSeed({ clientId, redirectUri, clientSecret, devices })],
  })
  const origin = server.localOrigin
  const deviceUrns = devices.map((localId) => `urn:aa:device:${fleet.id}:${localId}`)
  const client = createClient({ origin, getToken: () => '' })

  return {
    origin,
    options: { origin, clientId, clientSecret, redirectUri },
    user,
    deviceUrns,
    clock,
    advance: clock.advance,
    signIn: (url) => signInOnPages(url, user, redirectUri),
    report: (report, deviceUrn = deviceUrns[0] ?? '') =>
      client.submitPositionReport(report, { deviceToken: () => createDeviceToken(origin, deviceUrn) }),
    stop: server.stop,
  }
}

async function importServer(): Promise<ServerModule> {
  // In a variable, so that bundlers and compilers do not look for a package that may be missing.
  const name = '@posrep/server'
  try {
    return await import(/* @vite-ignore */ name)
  } catch (cause) {
    throw new Error('startTestServer() needs Node 24.15 and "@posrep/server": npm install --save-dev @posrep/server', {
      cause,
    })
  }
}

function toSeed({ clientId, redirectUri, clientSecret, devices }: TestServerOptions) {
  const scopes = ['surveillance_api']
  const account = 'test'
  return {
    accounts: [{ id: account, name: 'Test' }],
    users: [{ ...user, account }],
    clients: [
      {
        id: clientId,
        secret: clientSecret,
        name: 'Test app',
        account,
        grants: ['authorization_code', 'refresh_token'],
        redirectUris: [redirectUri],
        scopes,
        partner: false,
      },
      {
        ...fleet,
        name: 'Test fleet',
        account,
        grants: ['client_credentials', 'refresh_token'],
        redirectUris: [],
        scopes,
        partner: false,
      },
    ],
    sensors: devices?.map((localId) => ({ localId, client: fleet.id, name: localId })),
  }
}

async function createDeviceToken(origin: string, deviceUrn: string): Promise<string> {
  const { raw } = createClient({ origin, getToken: () => '' })
  const { data, error } = await raw.POST('/oauth/v2/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: fleet.id,
      client_secret: fleet.secret,
      device_id: deviceUrn.split(':').at(-1) ?? '',
    },
    bodySerializer: (form) => new URLSearchParams(Object.entries(form)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  if (!data) throw new Error(`No token for "${deviceUrn}": ${JSON.stringify(error)}`)
  return data.access_token
}
