/**
 * Puts the steps of a request together: pages, then operations, through Express or the fast path.
 * In: handlers, the identity provider, settings. Out: the function that answers every request of a node:http server.
 */
import type { RequestListener } from 'node:http'
import type { OperationId } from '@posrep/spec'
import express from 'express'
import proxyAddress from 'proxy-addr'
import { createAnswerError, errorHandler } from '../../http/errors/error-handler.ts'
import { createFastPath } from '../../http/fast-path.ts'
import { guardRequest } from '../../http/guard.ts'
import { cors } from '../../http/headers/cors.ts'
import { securityHeaders, securityHeadersOf } from '../../http/headers/security-headers.ts'
import type { OpenApiDocument, Origins } from '../../http/operation/openapi-document.ts'
import type { Handlers } from '../../http/operation/operation.ts'
import { type Refusal, serveOperations } from '../../http/operation/serve-operation.ts'
import { createWatchRequest, requestLog } from '../../http/request-log.ts'
import { mountOperations } from '../../http/router.ts'
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
import { handlersOf } from '../../settings/roles.ts'
import type { Settings } from '../../settings/setting-table.ts'
import { answerBrowsers } from '../../web/browser-errors.tsx'
import type { Storage } from '../storage/storage-ports.ts'

export interface RequestListenerOptions {
  settings: Pick<Settings, 'roles' | 'trustProxy' | 'ingestProfile'>
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
  onRefused: (refusal: Refusal) => void
  metrics: Metrics
  clock: Clock
  logger: Logger
  validateResponses: boolean
  /** When false, Express handles every request. */
  fastPath: boolean
}

/** The operations that most requests call; they have no parameters. */
const frequent = new Set<OperationId>(['submitPositionReport', 'issueToken'])

export async function createRequestListener(options: RequestListenerOptions): Promise<RequestListener> {
  const { settings, storage, document, origins, identity, handlers, readReport, ownMap, caFile, metrics } = options
  const { clock, logger, onRefused, validateResponses, fastPath } = options
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
  app.use(guardRequest)
  app.use(securityHeaders(origins))
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
        toSignOutUrl: identity.toSignOutUrl,
        signOutTickets: identity.signOutTickets,
        ...identity.urls,
      }),
    )
  }
  app.use(cors({ document, isAppOrigin: identity.isAppOrigin }))
  const served = serveOperations({
    document,
    handlers: handlersOf(settings.roles, handlers),
    verifyAccessToken,
    mendBodies: settings.ingestProfile === 'compat' ? { submitPositionReport: mendReport } : {},
    readElsewhere: { submitPositionReport: readReport },
    answerError,
    onRefused,
    validateResponses,
  })
  mountOperations(app, served)
  app.use(answerBrowsers(origins.ui, answerError))
  app.use(errorHandler(answerError))
  if (!fastPath) return app
  return createFastPath({
    operations: served.filter(({ operationId }) => frequent.has(operationId)),
    watch,
    answerError,
    headers: securityHeadersOf(origins),
    addressOf: (request) => proxyAddress(request, app.get('trust proxy fn')),
    otherwise: app,
  })
}
