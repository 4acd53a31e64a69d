/**
 * The reference server as a whole: listening, seeded, working, and stopping without losing anything.
 * In: checked settings. Out: a running server with its public origins; SettingsError for what cannot be used.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { DevelopmentCertificate } from '../adapters/development-certificate.ts'
import { ApiError, SettingsError } from '../errors.ts'
import type { Origins } from '../http/document.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { applySeed } from '../seed/apply-seed.ts'
import { parseSeed, type Seed } from '../seed/seed-file.ts'
import type { Settings } from '../settings/setting-table.ts'
import { type App, createApp } from './app.ts'
import { openDevelopmentCertificate, readCertificate } from './certificate.ts'
import { createListener, drain, listen, openFor } from './listener.ts'
import { openStorage, type Storage, unusable } from './storage.ts'

export interface ServerOptions {
  settings: Settings
  clock: Clock
  logger: Logger
  version: string
  /** Besides the file of `--seed`: what the demo has. */
  seeds?: Seed[]
  /** Ports of one's own, instead of what the settings say. It is closed with the server. */
  storage?: Storage
  /**
   * Stages of one's own, in their order: they come after what is found out about a report and before it is kept and
   * relayed, in every process that works. See docs/pipeline.md.
   */
  stages?: readonly Stage[]
  /** Also check every answer against the document; for tests and development. Default false. */
  validateResponses?: boolean
  /** See `AppOptions`. Default true. */
  fastPath?: boolean
  /**
   * The database cannot go on, since its disk or its thread failed: everything is answered with 503 from now on, and the
   * process has to end, since only a new one can tell what the disk has. Default: nothing but the log line.
   */
  onFatal?: (error: Error) => void
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
  /**
   * No new work, in-flight requests answered, logs flushed.
   * @param noticeMs How long `/readyz` is 503 before no connection is taken any more. Default 0.
   */
  stop(how?: { noticeMs?: number }): Promise<void>
}

export async function startServer({
  settings,
  clock,
  logger,
  version,
  seeds = [],
  storage: givenStorage,
  stages,
  validateResponses = false,
  fastPath = true,
  onFatal = () => {},
}: ServerOptions): Promise<RunningServer> {
  const cleanUps: (() => Promise<unknown>)[] = []
  const cleanUp = async () => {
    for (const step of cleanUps.reverse()) await step()
  }
  try {
    const fileSeed = settings.seed === undefined ? [] : [await readSeed(settings.seed, settings)]
    const { folder, storage } = await openOwnStorage({ settings, clock, logger, onFatal }, givenStorage, cleanUps)
    const development = await openDevelopmentCertificate(settings, folder, clock)
    const listener = createListener({
      certificate: settings.insecureHttp ? undefined : ((await readCertificate(settings)) ?? development),
      maxConnections: settings.maxConnections,
    })
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
      stages,
      validateResponses,
      fastPath,
    })
    for (const seed of [...fileSeed, ...seeds])
      await applySeed(seed, { directory: storage.directory, devices: app.devices })
    const stopWorkers = app.startWorkers()
    openFor(listener, app.listener)
    app.readiness.started()

    return {
      origins,
      port,
      app,
      localOrigin: `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`,
      folder: resolve(folder),
      ...(development && { development }),
      async stop({ noticeMs = 0 } = {}) {
        app.readiness.draining()
        await drain(listener, clock, noticeMs)
        await stopWorkers()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    // Whoever runs the server cannot do more about it than about a storage that is not there at all.
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

/** The storage, and the folder for the server's own files. */
async function openOwnStorage(
  options: Required<Pick<ServerOptions, 'settings' | 'clock' | 'logger' | 'onFatal'>>,
  given: Storage | undefined,
  cleanUps: (() => Promise<unknown>)[],
): Promise<{ folder: string; storage: Storage }> {
  const { settings } = options
  const folder = settings.memory ? await aTemporaryFolder() : settings.dataDir
  if (settings.memory) cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  const storage = given ?? (await openStorage({ ...options, onFatal: endWith(options), role: 'server' }))
  cleanUps.push(() => storage.close())
  return { folder, storage }
}

async function aTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'posrep-'))
  } catch (cause) {
    throw new SettingsError(`--memory needs a temporary folder: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

function endWith({ logger, onFatal }: Required<Pick<ServerOptions, 'logger' | 'onFatal'>>): (error: Error) => void {
  return (error) => {
    logger.error({ err: error }, 'the database cannot go on: nothing more is taken')
    onFatal(error)
  }
}

function originsOf(settings: Settings, port: number): Origins {
  const own = `${settings.insecureHttp ? 'http' : 'https'}://localhost:${port}`
  return { auth: settings.authOrigin ?? own, ingest: settings.ingestOrigin ?? own, ui: settings.uiOrigin ?? own }
}

/** The demo's relay is on this machine. */
function withDemo(settings: Settings): Settings {
  return settings.demo ? { ...settings, allowPrivateRelays: true, openRegistration: true } : settings
}
