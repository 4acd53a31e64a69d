/** The operations about the process itself: health, readiness, version, metrics, OpenAPI document. */
import { isIPv6 } from 'node:net'
import { ApiError } from '../errors.ts'
import { JsonFile } from '../http/operation/json-file.ts'
import type { OpenApiDocument } from '../http/operation/openapi-document.ts'
import type { Handlers, OperationRequest } from '../http/operation/operation.ts'
import { isSameSecret } from '../secrets.ts'
import type { Metrics } from './metrics.ts'
import type { ReadinessState } from './readiness.ts'

export interface ServiceOperationsOptions {
  document: OpenApiDocument
  version: string
  metrics: Metrics
  readiness: ReadinessState
  /** If set, `/metrics` answers any address that sends this bearer token; otherwise loopback only. */
  metricsToken?: string | undefined
}

export function serviceOperations({ document, version, metrics, readiness, metricsToken }: ServiceOperationsOptions) {
  const documentFile = new JsonFile(document)
  return {
    getHealth: async () => ({ status: 200, body: { status: 'ok' } }),
    async getReadiness() {
      const body = await readiness.check()
      return { status: body.status === 'ready' ? 200 : 503, body }
    },
    getVersion: async () => ({ status: 200, body: { name: 'posrep-server', version } }),
    async getMetrics(request) {
      checkMayScrape(request, metricsToken)
      return { status: 200, body: await metrics.text() }
    },
    getOpenApiDocument: async () => ({ status: 200, body: documentFile }),
  } satisfies Partial<Handlers>
}

function checkMayScrape({ address, headers }: OperationRequest<'getMetrics'>, metricsToken: string | undefined): void {
  if (metricsToken === undefined) {
    // A request that a proxy on this machine forwards comes from another machine.
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (isLoopback(address) && !isForwarded) return
    throw new ApiError(
      'loopback_only',
      'Metrics can be read from this machine only; to allow others, start the server with --metrics-token',
    )
  }
  if (isSameSecret(headers.authorization ?? '', `Bearer ${metricsToken}`)) return
  throw new ApiError('invalid_token', 'Metrics need the bearer token of --metrics-token', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

function isLoopback(address: string): boolean {
  const plain = isIPv6(address) ? address.replace(/^::ffff:/i, '') : address
  return plain === '::1' || plain.startsWith('127.')
}
