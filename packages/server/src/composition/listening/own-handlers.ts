/**
 * Picks the operations that a process answers: those of the document's servers that its roles stand for.
 * In: the roles, the document, all handlers. Out: some of the handlers. Every process answers the operations about
 * itself, which the document has at all servers: health, readiness, metrics, version, OpenAPI document.
 */
import { type OpenApiDocument, type Origins, operationsOf } from '../../http/operation/openapi-document.ts'
import type { Handlers } from '../../http/operation/operation.ts'
import type { Role } from '../../settings/roles.ts'

const roles: Record<keyof Origins, Role> = { auth: 'identity', ingest: 'ingest', ui: 'ui' }

export function ownHandlersOf(own: readonly Role[], document: OpenApiDocument, handlers: Handlers): Partial<Handlers> {
  const isOurs = new Set(
    operationsOf(document)
      .filter(({ servers }) => servers.length === 0 || servers.some((server) => own.includes(roles[server])))
      .map(({ operationId }) => operationId as string),
  )
  return Object.fromEntries(Object.entries(handlers).filter(([operationId]) => isOurs.has(operationId)))
}
