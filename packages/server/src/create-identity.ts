/**
 * The identity provider alone, for an Express application of one's own.
 * In: settings, as `startServer` has them. Out: a router with its operations of the document, its pages and its errors,
 * which leaves every other path to the application; and what checks the access tokens that it gives.
 */
import { type RequestHandler, Router } from 'express'
import { createSystemClock } from './adapters/system-clock.ts'
import { applySeed } from './apply-seed.ts'
import { createDeviceRegistry } from './devices/registry.ts'
import { ApiError, SettingsError } from './errors.ts'
import { cors } from './http/cors.ts'
import { documentFor, type OpenApiDocument, operationsOf } from './http/document.ts'
import { createAnswerError, errorHandler } from './http/error-handler.ts'
import { guardRequest } from './http/guard.ts'
import { mountOperations } from './http/router.ts'
import { securityHeaders } from './http/security-headers.ts'
import { serveOperations } from './http/serve-operation.ts'
import { createIdentity as createIdentityRoom, type Identity } from './identity/identity.ts'
import { toOAuthError } from './identity/oauth-error.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import type { Seed } from './seed-file.ts'
import type { Settings } from './setting-table.ts'
import { openStorage, unusable } from './storage.ts'

export interface CreateIdentityOptions {
  /**
   * Of these: where state is kept, `authOrigin`, which has to be given, the other two origins, which are audiences of
   * tokens and default to it, and the policies of tokens, redirect URIs and sensor IDs. `seed` is not read.
   */
  settings: Settings
  /** Accounts, users, clients and sensors that are to be there. Default: none. */
  seeds?: Seed[]
  /** Default: the system's. */
  clock?: Clock
  /** Told of sign-ins, tokens and failures. Default: nobody. */
  logger?: Logger
}

export interface EmbeddedIdentity extends Pick<Identity, 'verifyAccessToken' | 'issueDeviceTokens' | 'revoke'> {
  /** Mount it at the root of the auth origin. */
  router: Router
  /** Stops following other processes and closes the storage; close the listener first. */
  close(): Promise<void>
}

const nobody: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** @throws SettingsError when what the settings name cannot be used. */
export async function createIdentity({
  settings,
  seeds = [],
  clock = createSystemClock(),
  logger = nobody,
}: CreateIdentityOptions): Promise<EmbeddedIdentity> {
  const { authOrigin, ingestOrigin = authOrigin, uiOrigin = authOrigin } = settings
  if (authOrigin === undefined || ingestOrigin === undefined || uiOrigin === undefined) {
    throw new SettingsError('"authOrigin" must be given: the public origin that the router is mounted at')
  }
  const origins = { auth: authOrigin, ingest: ingestOrigin, ui: uiOrigin }
  const storage = await openStorage({ settings, clock, role: 'server', logger })
  try {
    const { store, directory, revocationFeed } = storage
    const devices = createDeviceRegistry({ directory, clock })
    const identity = await createIdentityRoom({
      store,
      directory,
      revocationFeed,
      devices,
      clock,
      origins,
      refreshGraceMs: settings.refreshGraceSeconds * 1_000,
      allowLoopbackRedirects: settings.allowLoopbackRedirects,
      sensorIdPolicy: settings.sensorIdPolicy,
      audit: (event) => logger.info({ audit: event }, event.event),
      onError: (error) => logger.warn({ err: error }, 'revocations or keys could not be read'),
    })
    for (const seed of seeds) await applySeed(seed, { directory, devices })
    const stopFollowing = identity.follow()
    const { verifyAccessToken, issueDeviceTokens, revoke } = identity
    return {
      router: toRouter(identity, documentFor(origins), origins, logger),
      verifyAccessToken,
      issueDeviceTokens,
      revoke,
      async close() {
        await stopFollowing()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error instanceof ApiError && error.code === 'unavailable' ? unusable(settings, error) : error
  }
}

function toRouter(
  identity: Identity,
  document: OpenApiDocument,
  origins: Parameters<typeof securityHeaders>[0],
  logger: Logger,
): Router {
  const { operations: handlers, verifyAccessToken, isAppOrigin } = identity
  const router = Router({ caseSensitive: true, strict: true })
  router.use(identity.pages)
  router.use(leaveOthers(document, handlers))
  router.use(guardRequest)
  router.use(securityHeaders(origins))
  router.use(cors({ document, isAppOrigin }))
  const errorAnswers = { issueToken: toOAuthError, revokeToken: toOAuthError }
  const answerError = createAnswerError({ logger, errorAnswers })
  mountOperations(router, serveOperations({ document, handlers, verifyAccessToken, answerError }))
  router.use(errorHandler(answerError))
  return router
}

/** What the identity provider does not know is the application's, headers and all. */
function leaveOthers(document: OpenApiDocument, handlers: Identity['operations']): RequestHandler {
  const own = operationsOf(document).filter(({ operationId }) => operationId in handlers)
  return (request, _response, next) => {
    if (own.some(({ path }) => path.test(request.path))) next()
    else next('router')
  }
}
