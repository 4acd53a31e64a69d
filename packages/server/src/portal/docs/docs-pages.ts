/**
 * The API reference: pages made from this server's own document, which need no script (docs/decisions/0077).
 * In: the document, and the origin of the service's pages. Out: a router.
 */
import type { Router } from 'express'
import type { OpenApiDocument, Origins } from '../../http/operation/openapi-document.ts'
import { createPageRouter } from '../../web/page-router.ts'
import { nothingHerePage } from '../layout/error.tsx'
import { docsPath, operationPath, schemaPath, specificationPath } from './docs-paths.ts'
import { listPage } from './list-page.tsx'
import { operationPage } from './operation-page.tsx'
import { toReference } from './reference.ts'
import { schemaPage } from './schema-page.tsx'
import { specificationPage } from './specification-page.tsx'

export function createDocs(document: OpenApiDocument, origins: Origins): Router {
  const { router, page } = createPageRouter({ maxFormBytes: 0 })
  const reference = toReference(document, origins.ui)
  const operations = new Map(reference.operations.map((operation) => [operation.id, operation]))

  page(docsPath, async (_visitor, _id, query) => listPage(reference, query.get('q') ?? ''))
  page(specificationPath, async () => specificationPage(reference))
  page(operationPath(':id'), async (_visitor, id) => {
    const operation = operations.get(id)
    return operation ? operationPage(operation, reference, origins) : nothingHerePage()
  })
  page(schemaPath(':id'), async (_visitor, name) => {
    const schema = reference.schemas.get(name)
    return schema ? schemaPage(name, schema, reference) : nothingHerePage()
  })
  page(`${docsPath}/*rest`, async () => nothingHerePage())
  return router
}
