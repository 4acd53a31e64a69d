/**
 * The reference server as a whole: listening, seeded, working, and stopping without losing anything.
 * In: checked settings. Out: a running server with its public origins; SettingsError for what cannot be used.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DevelopmentCertificate, developmentCertificate } from './adapters/development-certificate.ts'
import { type App, createApp } from './app.ts'
import { applySeed } from './apply-seed.ts'
import { SettingsError } from './errors.ts'
import type { Origins } from './http/document.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import { parseSeed, type Seed } from './seed-file.ts'
import type { Settings } from './settings.ts'
import { openStorage, type Storage } from './storage.ts'

export interface ServerOptions {
  settings: Settings
  clock: Clock
  logger: Logger
  version: string
  /** Besides the file of `--seed`: what the demo has. */
  seeds?: Seed[]
  /** Also check every answer against the document; for tests and development. Default false. */
  validateResponses?: boolean
}

export interface RunningServer {
  origins: Origins
  /** The port that is listened on. */
  port: number
  /** Where the process reaches itself, whatever the public origins are. */
  localOrigin: string
  /** Where the server keeps its files. */
  folder: string
  /** Present when the server made its own certificate. */
  development?: DevelopmentCertificate
  app: App
  /** No new work, in-flight requests answered, logs flushed. */
  stop(): Promise<void>
}

/** Requests that are still running then are cut off, so that the process ends within 10 s. */
const drainMs = 6_000

export async function startServer({
  settings,
  clock,
  logger,
  version,
  seeds = [],
  validateResponses = false,
}: ServerOptions): Promise<RunningServer> {
  const cleanUps: (() => Promise<unknown>)[] = []
  const cleanUp = async () => {
    for (const step of cleanUps.reverse()) await step()
  }
  try {
    const fileSeed = settings.seed === undefined ? [] : [await readSeed(settings.seed, settings)]
    const { folder, storage } = await openOwnStorage(settings, clock, logger, cleanUps)
    const development = await openDevelopmentCertificate(settings, folder, clock)
    const listener = createListener(
      settings.insecureHttp ? undefined : ((await readCertificate(settings)) ?? development),
    )
    const port = await listen(listener, settings)
    cleanUps.push(async () => listener.closeAllConnections())

    const origins = originsOf(settings, port)
    const app = await createApp({
      settings: withDemo(settings),
      storage,
      origins,
      clock,
      logger,
      version,
      extraCa: development?.ca,
      validateResponses,
    })
    for (const seed of [...fileSeed, ...seeds])
      await applySeed(seed, { directory: storage.directory, devices: app.devices })
    const stopWorkers = app.startWorkers()
    listener.removeAllListeners('request')
    listener.on('request', app.express)
    app.readiness.started()

    return {
      origins,
      port,
      app,
      localOrigin: `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`,
      folder: resolve(folder),
      ...(development && { development }),
      async stop() {
        app.readiness.draining()
        await drain(listener, clock)
        await stopWorkers()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

async function readSeed(file: string, settings: Settings): Promise<Seed> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError(`--seed "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  return parseSeed(text, file, settings)
}

/** The storage, and the folder for the server's own files. */
async function openOwnStorage(
  settings: Settings,
  clock: Clock,
  logger: Logger,
  cleanUps: (() => Promise<unknown>)[],
): Promise<{ folder: string; storage: Storage }> {
  const folder = settings.memory ? await mkdtemp(join(tmpdir(), 'posrep-')) : settings.dataDir
  if (settings.memory) cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  const storage = await openStorage({ settings, clock, logger, role: 'server' })
  cleanUps.push(() => storage.close())
  return { folder, storage }
}

type Certificate = Pick<DevelopmentCertificate, 'cert' | 'key'>

async function readCertificate({ tlsCert, tlsKey }: Settings): Promise<Certificate | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  return { cert: await readPem('--tls-cert', tlsCert), key: await readPem('--tls-key', tlsKey) }
}

/** The demo's relay needs one even where the server itself has another certificate, or none. */
async function openDevelopmentCertificate(
  settings: Settings,
  folder: string,
  clock: Clock,
): Promise<DevelopmentCertificate | undefined> {
  const { tlsCert, insecureHttp, host, demo } = settings
  if ((insecureHttp || tlsCert !== undefined) && !demo) return undefined
  const given = [settings.authOrigin, settings.ingestOrigin, settings.uiOrigin].flatMap((origin) =>
    origin === undefined ? [] : [new URL(origin).hostname.replace(/^\[|\]$/g, '')],
  )
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
  const wildcards = new Set(['0.0.0.0', '::'])
  const names = ['localhost', hostname(), host, ...addresses, ...given].filter(
    (name) => name !== '' && !wildcards.has(name),
  )
  return developmentCertificate({ folder, names, clock })
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError(`${flag} "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

/** Slow senders are cut off: headers within 5 s, the whole request within 10 s. */
const limits: http.ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}

function createListener(certificate: Certificate | undefined): http.Server {
  const starting: http.RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1' }).end()
  }
  if (!certificate) return http.createServer(limits, starting)
  try {
    return https.createServer(
      { ...limits, cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2' },
      starting,
    )
  } catch (cause) {
    throw new SettingsError(`The TLS certificate cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function listen(listener: http.Server, { host, port }: Settings): Promise<number> {
  return new Promise((listening, reject) => {
    listener.once('error', (cause) =>
      reject(new SettingsError(`Cannot listen on "${host}" port ${port}: ${cause.message}`, { cause })),
    )
    listener.listen(port, host, () => {
      // Listening on TCP, as here, gives an AddressInfo.
      const address = listener.address() as AddressInfo
      listening(address.port)
    })
  })
}

function originsOf(settings: Settings, port: number): Origins {
  const own = `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`
  return { auth: settings.authOrigin ?? own, ingest: settings.ingestOrigin ?? own, ui: settings.uiOrigin ?? own }
}

/** The demo's relay is on this machine. */
function withDemo(settings: Settings): Settings {
  return settings.demo ? { ...settings, allowPrivateRelays: true } : settings
}

/** Answers what is in flight, tells keep-alive clients to go, takes no new connection. */
async function drain(listener: http.Server, clock: Clock): Promise<void> {
  listener.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  const closed = new Promise<void>((done) => listener.close(() => done()))
  const waiting = new AbortController()
  await Promise.race([closed, clock.sleep(drainMs, waiting.signal)])
  waiting.abort()
  listener.closeAllConnections()
}
