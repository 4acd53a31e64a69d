/**
 * Starts and stops the reference server.
 * In: checked settings. Out: a running server with its public origins; SettingsError for settings that cannot be used.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { DevelopmentCertificate } from '../adapters/development-certificate.ts'
import { importTerrain } from '../air/thread/terrain.ts'
import { ApiError, SettingsError } from '../errors.ts'
import type { Origins } from '../http/operation/openapi-document.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { applySeed } from '../seed/apply-seed.ts'
import { parseSeed, type Seed } from '../seed/seed-file.ts'
import { type SeededEntry, toSeedSentences } from '../seed/seed-report.ts'
import type { Settings } from '../settings/setting-table.ts'
import { type App, type AppOptions, createApp } from './app.ts'
import {
  openDevelopmentCertificate,
  readCertificate,
  readCotDestinations,
  readRelayCa,
  toRelayCa,
} from './listening/certificate.ts'
import { limitConnectionsPerAddress } from './listening/connection-shares.ts'
import { createListener, listen, openFor } from './listening/listener.ts'
import { findOpenMode } from './storage/folder-mode.ts'
import { openStorage, unusable } from './storage/storage.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface ServerOptions {
  settings: Settings
  clock: Clock
  logger: Logger
  version: string
  /** Seeds in addition to the file of `--seed`, such as those of the demo. */
  seeds?: Seed[]
  /** Replaces the storage of the settings. It is closed with the server. */
  storage?: Storage
  /**
   * The integrator's stages, in order. They run after the stages that add tags and before those that store and relay
   * reports, in every process that runs the pipeline. See docs/pipeline.md.
   */
  stages?: readonly Stage[]
  /**
   * A module whose default export is `(latDegrees, lonDegrees) => metres | undefined`: the height of the ground above
   * mean sea level, for the altitudes of the air picture. It is also imported by the thread that computes the picture.
   * See docs/pipeline.md.
   */
  terrain?: URL
  /** See `AppOptions`. */
  air?: AppOptions['air']
  /** Also validates every response against the OpenAPI document; for tests and development. Default false. */
  validateResponses?: boolean
  /** See `AppOptions`. Default true. */
  fastPath?: boolean
  /**
   * Called when the disk or the thread of the database failed. Every request is answered with 503 from then on. The
   * process must end, because only a new process can read the state of the disk. Default: only a log line.
   */
  onFatal?: (error: Error) => void
}

export interface RunningServer {
  origins: Origins
  /** The port that the server listens on. */
  port: number
  /** The origin by which the process reaches itself. */
  localOrigin: string
  /** The folder of the server's own files. */
  folder: string
  /** Present when the server generated its certificate. */
  development?: DevelopmentCertificate
  app: App
  /** Whether the storage had users when the server had started, those of seeds included. */
  hasUsers: boolean
  /** What became of the entries of the seed file, by name: one sentence for each kind of outcome. */
  seeded: string[]
  /**
   * Accepts no new work, answers requests in flight and flushes the logs.
   * @param noticeMs For this time `/readyz` is 503 while connections are still accepted. Default 0.
   */
  stop(how?: { noticeMs?: number }): Promise<void>
}

/**
 * @example
 * ```ts
 * import { createSystemClock, resolveSettings, startServer } from '@posrep/server'
 *
 * const server = await startServer({
 *   settings: resolveSettings({ flags: { memory: true, port: '0' }, environment: {} }),
 *   clock: createSystemClock(),
 *   logger: console,
 *   version: '0.1.0',
 * })
 * console.log(server.origins.ui)
 * await server.stop()
 * ```
 */
export async function startServer({
  settings,
  clock,
  logger,
  version,
  seeds = [],
  storage: givenStorage,
  stages,
  terrain,
  air,
  validateResponses = false,
  fastPath = true,
  onFatal = () => {},
}: ServerOptions): Promise<RunningServer> {
  const cleanUps: (() => Promise<unknown>)[] = []
  const cleanUp = async () => {
    for (const step of cleanUps.reverse()) await step()
  }
  try {
    const fileSeed = settings.seed === undefined ? [] : [await readSeed(settings.seed, withDemo(settings))]
    const { folder, storage } = await openStorageAndFolder({ settings, clock, logger, onFatal }, givenStorage, cleanUps)
    const mode = await findOpenMode(folder)
    if (mode !== undefined) {
      logger.warn(
        { folder, mode },
        `other users of this machine can open the data folder; to keep it: chmod 700 ${folder}`,
      )
    }
    const development = await openDevelopmentCertificate(settings, folder, clock)
    if (development?.isCaReplaced) {
      logger.warn({ caFile: development.caFile }, 'the development CA was made anew: clients have to trust it again')
    }
    const relayCa = await readRelayCa(settings)
    const cotDestinations = await readCotDestinations(settings)
    if (terrain) await importTerrain(terrain)
    const { server: listener, drain } = createListener({
      certificate: settings.insecureHttp ? undefined : ((await readCertificate(settings)) ?? development),
      maxConnections: settings.maxConnections,
      clock,
    })
    limitConnectionsPerAddress(listener, { settings, clock, logger })
    const port = await listen(listener, settings)
    cleanUps.push(async () => {
      listener.close()
      listener.closeAllConnections()
    })

    const origins = originsOf(settings, port)
    const app = await createApp({
      settings: withDemo(settings),
      storage,
      origins,
      clock,
      logger,
      version,
      caFile: development && resolve(development.caFile),
      extraCa: toRelayCa([development?.ca, relayCa]),
      stages,
      terrain,
      air,
      cotDestinations,
      validateResponses,
      fastPath,
    })
    const target = { directory: storage.directory, clock, devices: app.devices, audit: app.audit }
    const seeded: SeededEntry[] = []
    for (const seed of fileSeed) seeded.push(...(await applySeed(seed, target)))
    for (const seed of seeds) await applySeed(seed, target)
    const [anyUser] = await storage.directory.list('user', { limit: 1 })
    const stopWorkers = app.startWorkers()
    openFor(listener, app.listener)
    app.readiness.started()

    return {
      origins,
      port,
      app,
      localOrigin: `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`,
      folder: resolve(folder),
      hasUsers: anyUser !== undefined,
      seeded: toSeedSentences(seeded),
      ...(development && { development }),
      async stop({ noticeMs = 0 } = {}) {
        app.readiness.draining()
        app.endStreams()
        await drain(noticeMs)
        await stopWorkers()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    // For the operator this is the same problem as a storage that cannot be opened.
    throw error instanceof ApiError && error.code === 'unavailable' ? unusable(settings, error) : error
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

/** Opens the storage and the folder for the server's own files. */
async function openStorageAndFolder(
  options: Required<Pick<ServerOptions, 'settings' | 'clock' | 'logger' | 'onFatal'>>,
  given: Storage | undefined,
  cleanUps: (() => Promise<unknown>)[],
): Promise<{ folder: string; storage: Storage }> {
  const { settings } = options
  const folder = settings.memory ? await createTemporaryFolder() : settings.dataDir
  if (settings.memory) cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  const storage = given ?? (await openStorage({ ...options, onFatal: createOnFatal(options), role: 'server' }))
  cleanUps.push(() => storage.close())
  return { folder, storage }
}

async function createTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'posrep-'))
  } catch (cause) {
    throw new SettingsError(`--memory needs a temporary folder: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function createOnFatal({
  logger,
  onFatal,
}: Required<Pick<ServerOptions, 'logger' | 'onFatal'>>): (error: Error) => void {
  return (error) => {
    logger.error({ err: error }, 'the database failed; every request is answered with 503')
    onFatal(error)
  }
}

function originsOf(settings: Settings, port: number): Origins {
  const own = `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`
  return { auth: settings.authOrigin ?? own, ingest: settings.ingestOrigin ?? own, ui: settings.uiOrigin ?? own }
}

/**
 * The demo allows open registration. Its relay, and the apps that try it, are on this machine, so it allows private
 * relays and loopback redirects.
 */
function withDemo(settings: Settings): Settings {
  if (!settings.demo) return settings
  return { ...settings, allowPrivateRelays: true, openRegistration: true, allowLoopbackRedirects: true }
}
