/**
 * Adds examples for hey-api's MSW plugin.
 * In: the document. Out: a copy in which every schema and every 2xx response has an `example`.
 */
import { readFile } from 'node:fs/promises'
import type { Document, Response } from './document.ts'

export async function withExamples(document: Document): Promise<Document> {
  const { components, paths, ...rest } = structuredClone(document)
  for (const [name, schema] of Object.entries(components.schemas)) {
    const file = new URL(`../../../openapi/examples/${name}.json`, import.meta.url)
    schema.example = JSON.parse(await readFile(file, 'utf8'))
  }
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) addResponseExamples(operation)
  return { components, paths, ...rest }
}

function addResponseExamples(operation: unknown): void {
  if (!isOperation(operation)) return
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue
    // hey-api's handlers answer 501 if a response has no example, and with an empty body if the example is an empty
    // array.
    response.content ??= { 'application/octet-stream': { schema: { type: 'null', format: 'binary' }, example: [] } }
    for (const { schema, example, examples = {} } of Object.values(response.content)) {
      if (schema && !schema.$ref) schema.example = example ?? Object.values(examples)[0]?.value
    }
  }
}

function isOperation(value: unknown): value is { responses: Record<string, Response> } {
  return typeof value === 'object' && value !== null && 'responses' in value
}
