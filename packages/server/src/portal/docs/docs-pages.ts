/**
 * The API reference: pages made from this server's own document, which need no script (docs/decisions/0077).
 * In: the document, and the origins of the service; who has signed in. Out: a router.
 */
import type { Router } from 'express'
import type { OpenApiDocument, Origins } from '../../http/operation/openapi-document.ts'
import { createPageRouter } from '../../web/page-router.ts'
import { nothingHerePage } from '../layout/error.tsx'
import type { Visits } from '../visit/visit.ts'
import { type DocsPage, docsPage } from './docs-layout.tsx'
import { docsPath, operationPath, schemaPath, specificationPath } from './docs-paths.ts'
import { listPage } from './list-page.tsx'
import { operationPage } from './operation-page.tsx'
import { toReference } from './reference.ts'
import { schemaPage } from './schema-page.tsx'
import { specificationPage } from './specification-page.tsx'

export interface DocsOptions {
  document: OpenApiDocument
  origins: Origins
  visits: Visits
}

export function createDocs({ document, origins, visits }: DocsOptions): Router {
  const { router, page } = createPageRouter({ maxFormBytes: 0 })
  const reference = toReference(document, origins.ui)
  const operations = new Map(reference.operations.map((operation) => [operation.id, operation]))

  /** @param toPage Undefined if there is no such page. */
  function show(path: string, toPage: (id: string, query: URLSearchParams) => DocsPage | undefined): void {
    page(path, async (visitor, id, query) => {
      const viewer = (await visits.find(visitor))?.viewer
      const found = toPage(id, query)
      return found ? docsPage(found, viewer) : nothingHerePage(viewer)
    })
  }

  show(docsPath, (_id, query) => listPage(reference, query.get('q') ?? ''))
  show(specificationPath, () => specificationPage(reference))
  show(operationPath(':id'), (id) => {
    const operation = operations.get(id)
    return operation && operationPage(operation, reference, origins)
  })
  show(schemaPath(':id'), (name) => {
    const schema = reference.schemas.get(name)
    return schema && schemaPage(name, schema, reference)
  })
  show(`${docsPath}/*rest`, () => undefined)
  return router
}
