/**
 * The identity provider alone, to be mounted in another Express application.
 * In: settings, as for `startServer`. Out: a router with the identity provider's operations and pages, which passes
 * every other path to the application; functions that verify, issue and revoke its tokens.
 */
import { type RequestHandler, Router } from 'express'
import { createSystemClock } from '../adapters/system-clock.ts'
import { createDeviceRegistry } from '../devices/registry.ts'
import { ApiError, SettingsError } from '../errors.ts'
import { createAnswerError, errorHandler } from '../http/errors/error-handler.ts'
import { guardRequest } from '../http/guard.ts'
import { cors } from '../http/headers/cors.ts'
import { securityHeaders } from '../http/headers/security-headers.ts'
import { documentFor, type OpenApiDocument, operationsOf } from '../http/operation/openapi-document.ts'
import { serveOperations } from '../http/operation/serve-operation.ts'
import { mountOperations } from '../http/router.ts'
import { createOpenApiValidator } from '../http/validation/openapi-validator.ts'
import type { Audit } from '../identity/audit.ts'
import { createIdentityProvider, type Identity } from '../identity/identity.ts'
import { toOAuthError } from '../identity/oauth-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { applySeed } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed-file.ts'
import type { Settings } from '../settings/setting-table.ts'
import { toIdentityOptions } from './identity-options.ts'
import { openStorage, unusable } from './storage/storage.ts'

export interface CreateIdentityOptions {
  /**
   * Uses the settings of the storage, of tokens, redirect URIs and sensor IDs; `authOrigin`, which is required; and the
   * other two origins, which are audiences of tokens and default to `authOrigin`. Ignores all others, `seed` included.
   */
  settings: Settings
  /** Accounts, users, clients and sensors to add. Default: none. */
  seeds?: Seed[]
  /** Default: the system clock. */
  clock?: Clock
  /** Gets audit events and failures. Default: no logging. */
  logger?: Logger
}

export interface EmbeddedIdentity extends Pick<Identity, 'verifyAccessToken' | 'issueDeviceTokens' | 'revoke'> {
  /** Mount it at the root of the auth origin. */
  router: Router
  /** Stops following the revocations of other processes and closes the storage. Close the HTTP server first. */
  close(): Promise<void>
}

const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * @throws SettingsError when `authOrigin` is missing or the storage cannot be used.
 *
 * @example
 * ```ts
 * import { createIdentity, resolveSettings } from '@posrep/server'
 * import express from 'express'
 *
 * const flags = { memory: true, 'auth-origin': 'https://id.example.com' }
 * const identity = await createIdentity({ settings: resolveSettings({ flags, environment: {} }) })
 * express().use(identity.router).listen(8080)
 * ```
 */
export async function createIdentity({
  settings,
  seeds = [],
  clock = createSystemClock(),
  logger = silentLogger,
}: CreateIdentityOptions): Promise<EmbeddedIdentity> {
  const { authOrigin, ingestOrigin = authOrigin, uiOrigin = authOrigin } = settings
  if (authOrigin === undefined || ingestOrigin === undefined || uiOrigin === undefined) {
    throw new SettingsError('"authOrigin" is required: the public origin that the router is mounted at')
  }
  const origins = { auth: authOrigin, ingest: ingestOrigin, ui: uiOrigin }
  const storage = await openStorage({ settings, clock, role: 'server', logger })
  try {
    const { directory } = storage
    const devices = createDeviceRegistry({ directory, clock })
    const audit: Audit = (event) => logger.info({ audit: event }, event.event)
    const identity = await createIdentityProvider({
      ...toIdentityOptions({ storage, settings, logger }),
      ...{ devices, clock, origins, audit },
      hasPortal: false,
    })
    for (const seed of seeds) await applySeed(seed, { directory, clock, devices, audit })
    const stopFollowing = identity.follow()
    const { verifyAccessToken, issueDeviceTokens, revoke } = identity
    return {
      router: await toRouter(identity, documentFor(origins), origins, logger),
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

async function toRouter(
  identity: Identity,
  document: OpenApiDocument,
  origins: Parameters<typeof securityHeaders>[0],
  logger: Logger,
): Promise<Router> {
  const { operations: handlers, verifyAccessToken, isAppOrigin } = identity
  const router = Router({ caseSensitive: true, strict: true })
  router.use(identity.pages)
  router.use(passOtherPaths(document, handlers))
  router.use(securityHeaders(origins))
  router.use(cors({ document, isAppOrigin }))
  router.use(guardRequest)
  const errorAnswers = { issueToken: toOAuthError, revokeToken: toOAuthError }
  const answerError = createAnswerError({ logger, errorAnswers })
  mountOperations(
    router,
    await serveOperations({
      document,
      handlers,
      createValidator: createOpenApiValidator,
      verifyAccessToken,
      answerError,
    }),
  )
  router.use(errorHandler(answerError))
  return router
}

/** Passes every path that is not the identity provider's to the application, without changing headers. */
function passOtherPaths(document: OpenApiDocument, handlers: Identity['operations']): RequestHandler {
  const own = operationsOf(document).filter(({ operationId }) => operationId in handlers)
  return (request, _response, next) => {
    if (own.some(({ path }) => path.test(request.path))) next()
    else next('router')
  }
}
