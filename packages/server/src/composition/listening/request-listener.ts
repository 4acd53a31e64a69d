/**
 * Puts the steps of a request together: pages, then operations, through Express or the fast path.
 * In: handlers, the identity provider, settings. Out: the function that answers every request of a node:http server.
 */
import type { RequestListener } from 'node:http'
import express from 'express'
import proxyAddress from 'proxy-addr'
import type { DeviceRegistry } from '../../devices/registry.ts'
import { createAnswerError, errorHandler } from '../../http/errors/error-handler.ts'
import { createFastPath } from '../../http/fast-path.ts'
import { guardRequest } from '../../http/guard.ts'
import { cors } from '../../http/headers/cors.ts'
import { securityHeaders, securityHeadersOf } from '../../http/headers/security-headers.ts'
import type { OpenApiDocument, Origins } from '../../http/operation/openapi-document.ts'
import type { Handlers } from '../../http/operation/operation.ts'
import { createRefusedBodies } from '../../http/operation/refused-bodies.ts'
import { type Refusal, serveOperations } from '../../http/operation/serve-operation.ts'
import { createWatchRequest, requestLog } from '../../http/request-log.ts'
import { mountOperations } from '../../http/router.ts'
import { createOpenApiValidator } from '../../http/validation/openapi-validator.ts'
import { createRequestValidator } from '../../http/validation/request-validator.ts'
import type { Identity } from '../../identity/identity.ts'
import { toOAuthError } from '../../identity/oauth-error.ts'
import type { OwnMap } from '../../portal/air/air-map.tsx'
import { createPortal } from '../../portal/portal.ts'
import { registerPortalClient } from '../../portal/visit/portal-client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { mendReport } from '../../reports/mend/mend-report.ts'
import type { ReportReaders } from '../../reports/report-readers.ts'
import type { Metrics } from '../../service/metrics.ts'
import type { Settings } from '../../settings/setting-table.ts'
import { answerBrowsers } from '../../web/browser-errors.tsx'
import type { Storage } from '../storage/storage-ports.ts'
import { ownHandlersOf } from './own-handlers.ts'

export interface RequestListenerOptions {
  settings: Settings
  storage: Pick<Storage, 'store' | 'directory'>
  document: OpenApiDocument
  origins: Origins
  identity: Identity
  /** Of all operations; those of other roles are not served. */
  handlers: Handlers
  readReport: ReportReaders['read']
  ownMap: OwnMap
  /** See `createPortal`. */
  caFile: string | undefined
  devices: Pick<DeviceRegistry, 'findByLocalId' | 'findEarlierOwner'>
  onRefused: (refusal: Refusal) => void
  metrics: Metrics
  clock: Clock
  logger: Logger
  validateResponses: boolean
  /** When false, Express handles every request. */
  fastPath: boolean
}

export async function createRequestListener(options: RequestListenerOptions): Promise<RequestListener> {
  const { settings, storage, document, origins, identity, handlers, readReport, ownMap, caFile, metrics } = options
  const { devices, clock, logger, onRefused, validateResponses, fastPath } = options
  const { store, directory } = storage
  const { verifyAccessToken, sealer } = identity

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy)
  const watch = createWatchRequest({ logger, observe: metrics.request })
  const answerError = createAnswerError({
    logger,
    errorAnswers: { issueToken: toOAuthError, revokeToken: toOAuthError },
  })
  app.use(requestLog(watch))
  app.use(securityHeaders(origins))
  app.use(cors({ document, isAppOrigin: identity.isAppOrigin }))
  app.use(guardRequest)
  if (settings.roles.includes('identity')) app.use(identity.pages)
  if (settings.roles.includes('ui')) {
    await registerPortalClient(directory, origins.ui)
    app.use(
      createPortal({
        store,
        directory,
        clock,
        sealer,
        handlers,
        mend: mendReport,
        ownMap,
        caFile,
        verifyAccessToken,
        origins,
        document,
        async isOfAnotherAccount(accountId, localId) {
          const device = await devices.findByLocalId(accountId, localId)
          return device !== undefined && (await devices.findEarlierOwner(device)) !== undefined
        },
        toSignOutUrl: identity.toSignOutUrl,
        signOutTickets: identity.signOutTickets,
        ...identity.urls,
      }),
    )
  }
  const ownHandlers = ownHandlersOf(settings.roles, document, handlers)
  const serving = {
    document,
    verifyAccessToken,
    mendBodies: settings.ingestProfile === 'compat' ? { submitPositionReport: mendReport } : {},
    answerError,
    onRefused,
    validateResponses,
    refusedBodies: createRefusedBodies({ clock }),
  }
  mountOperations(
    app,
    await serveOperations({ ...serving, handlers: ownHandlers, createValidator: createOpenApiValidator }),
  )
  app.use(answerBrowsers(origins.ui, answerError))
  app.use(errorHandler(answerError))
  if (!fastPath) return app
  const { submitPositionReport, issueToken } = ownHandlers
  return createFastPath({
    operations: await serveOperations({
      ...serving,
      handlers: { ...(submitPositionReport && { submitPositionReport }), ...(issueToken && { issueToken }) },
      createValidator: createRequestValidator,
      readInThread: { submitPositionReport: readReport },
    }),
    watch,
    answerError,
    // Answers to other origins have more headers (`http/headers/cors.ts`).
    headers: [...securityHeadersOf(origins), ['Vary', 'Origin']],
    addressOf: (request) => proxyAddress(request, app.get('trust proxy fn')),
    otherwise: app,
  })
}
