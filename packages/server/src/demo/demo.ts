/**
 * `--demo`: plays a recording through agent, ingest, pipeline and relay on one machine.
 * In: a running server. Out: an agent that sends reports, a relay that receives them, and lines for the banner.
 */
import { isAbsolute, join, relative } from 'node:path'
import tls from 'node:tls'
import { replaceFile } from '@posrep/kernel/replace-file'
import type { RunningServer } from '../composition/server.ts'
import { toOperationRequest } from '../http/operation/operation-request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Principal } from '../ports/principal.ts'
import { demoApp, demoCallback, demoFleet, demoSensor, demoUser, exampleApps, spareSensor } from './demo-seed.ts'
import { startDemoRelay } from './relay.ts'
import { type DemoTokens, refresh, requestDeviceToken, signIn } from './sign-in.ts'
import { type StatusLineStyle, startStatusLine } from './status-line.ts'
import { startTraffic } from './traffic.ts'

export interface DemoOptions {
  server: RunningServer
  clock: Clock
  logger: Logger
  style: StatusLineStyle
  columns(): number
  write(text: string): void
}

export interface Demo {
  /** Credentials and example commands, for the banner. */
  lines: string[]
  /** Who can sign in at the portal. */
  user: typeof demoUser
  /** Starts the status line; call it after the banner is printed. */
  show(): void
  stop(): Promise<void>
}

/** Access tokens are valid for 15 minutes. */
const refreshEveryMs = 10 * 60_000

export async function startDemo({ server, clock, logger, style, columns, write }: DemoOptions): Promise<Demo> {
  const { development } = server
  if (!development) throw new Error('The demo needs the development certificate')
  // The agent, the courier and the sign-in use this process's default certificate authorities.
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), development.ca])

  let received = 0
  const relay = await startDemoRelay({
    certificate: development,
    from: server.origins.auth,
    // The public origin may be that of a proxy; this server itself has the keys.
    fetch: ({ url, signal }) => fetch(url.replace(server.origins.auth, server.localOrigin), { signal }),
    device: demoDevice,
    onReport: (report) => void (received += report.positions.length),
  })
  await setRelay(server, relay.url)
  const origin = new URL(server.localOrigin)
  const files = {
    ca: development.caFile,
    userToken: join(server.folder, 'demo-user-token'),
    deviceToken: join(server.folder, 'demo-device-token'),
  }
  const stopTokens = await keepTokens(origin, files, { clock, logger })
  const traffic = startTraffic({ origin, heardAtMs: await findHeardMs(server), clock, logger })
  let hide = () => {}

  return {
    lines: demoLines(server, files),
    user: demoUser,
    show() {
      hide = startStatusLine({
        totals: server.app.metrics.totals,
        received: () => received,
        clock,
        logger,
        style,
        columns,
        write,
      })
    },
    async stop() {
      hide()
      stopTokens()
      await traffic.stop()
      await relay.stop()
    },
  }
}

export { demoSeed } from './demo-seed.ts'

const demoDevice = `urn:aa:device:demo:${demoSensor}`

const user = { userId: 'demo', accountId: 'demo', clientId: demoApp.id }
const principal: Principal = { kind: 'user', ...user, scopes: ['surveillance_api'], tokenId: 'demo' }

/** Calls the API's operation as the demo user would, so the relay must return the validation code. */
async function setRelay(server: RunningServer, url: string): Promise<void> {
  const request = toOperationRequest<'updateRelay'>(
    { path: { deviceId: demoDevice }, body: { url, state: 1 } },
    { principal },
  )
  const answer = await server.app.handlers.updateRelay(request)
  if (answer.status !== 200 || answer.body.relayDetails?.state !== 'Active') {
    throw new Error(`Could not set the demo's relay: ${JSON.stringify(answer.body)}`)
  }
}

/** When the sensor with the recorded traffic was heard last, in an earlier run; 0 in a new folder. */
async function findHeardMs(server: RunningServer): Promise<number> {
  const request = toOperationRequest<'getDevice'>({ path: { deviceUrn: demoDevice } }, { principal })
  const answer = await server.app.handlers.getDevice(request)
  return answer.status === 200 ? Date.parse(answer.body.lastReportAt ?? '1970-01-01') : 0
}

interface DemoFiles {
  ca: string
  /** Access tokens, for the example commands. */
  userToken: string
  deviceToken: string
}

async function keepTokens(
  origin: URL,
  files: DemoFiles,
  { clock, logger }: Pick<DemoOptions, 'clock' | 'logger'>,
): Promise<() => void> {
  const stopping = new AbortController()
  let tokens: DemoTokens = await signIn(origin)
  async function write(): Promise<void> {
    await replaceFile(files.userToken, tokens.accessToken)
    await replaceFile(files.deviceToken, (await requestDeviceToken(origin, spareSensor)).accessToken)
  }
  await write()

  async function keepFresh(): Promise<void> {
    for (;;) {
      await clock.sleep(refreshEveryMs, stopping.signal)
      if (stopping.signal.aborted) return
      tokens = await refresh(origin, tokens)
      await write()
    }
  }
  keepFresh().catch((error) => logger.warn({ err: error }, "could not refresh the demo's tokens; they will expire"))
  return () => stopping.abort()
}

/** Each command is broken into short lines, which a shell takes as one. */
function demoLines({ origins }: RunningServer, files: DemoFiles): string[] {
  const [ca, userToken, deviceToken] = [files.ca, files.userToken, files.deviceToken].map(toShortPath)
  const curl = `  curl -sS --cacert ${ca} \\`
  const user = [curl, `    -H "Authorization: Bearer $(cat ${userToken})" \\`]
  return [
    `  user    ${demoUser.email}   password  ${demoUser.password}`,
    ...[{ ...demoApp, redirectUri: demoCallback }, ...exampleApps].flatMap(({ id, secret, redirectUri }) => [
      `  client  ${id}   ${secret === undefined ? 'public' : `secret  ${secret}`}`,
      `          redirect URI ${redirectUri}`,
    ]),
    `  client  ${demoFleet.id}   secret  ${demoFleet.secret}`,
    `          sensors ${demoSensor}, mast2, radar1, ${spareSensor}, radar2`,
    '',
    '  Paste these:',
    ...user,
    `    ${origins.ui}/v1/devices`,
    ...user,
    `    "${origins.ui}/v1/devices/${demoDevice}/recent?limit=1"`,
    curl,
    `    -i -H "Authorization: Bearer $(cat ${deviceToken})" \\`,
    `    ${origins.ingest}/v1/position-reports -H 'Content-Type: application/json' -d '{`,
    // The shell inserts the time at which the lines are run.
    `    "positions": [{ "id": "try-1", "sourceTimeStamp": "'$(date -u +%FT%TZ)'",`,
    '      "target": { "ids": [{ "id": "461F9C", "type": "ICAO" }] },',
    '      "position": { "lat": 60.3172, "lon": 24.9633 },',
    '      "altitudes": [{ "height": 900, "datum": "bar" }],',
    `      "groundVelocity": { "x": 62, "y": 38, "z": 2.5 } }] }'`,
  ]
}

/** From the current folder, if the file is in it: as the user types it. */
function toShortPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}
