/**
 * Checks our own answers against the document, for tests and development.
 * In: the document and an operation. Out: a function that throws when an answer differs from the document. It compiles
 * the schema of a status at the first answer with it.
 * express-openapi-validator would see only answers that are sent with `response.json` of Express: no streamed ones, and
 * none of the fast path.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { DocumentedOperation, OpenApiDocument } from '../operation/openapi-document.ts'
import { createAjv } from './ajv.ts'

export type CheckAnswer = (status: number, body: unknown) => void

export function compileCheckAnswer(
  { components }: OpenApiDocument,
  { operationId, definition, responseMedia }: DocumentedOperation,
): CheckAnswer {
  const validators = new Map<number, ValidateFunction | undefined>()
  function validatorOf(status: number): ValidateFunction | undefined {
    if (!validators.has(status)) {
      const schema = definition.responses[status]?.content?.[responseMedia[status] ?? '']?.schema
      validators.set(status, schema && createAjv().compile({ components, ...schema }))
    }
    return validators.get(status)
  }
  return (status, body) => {
    const validate = validatorOf(status)
    if (!validate || validate(body)) return
    const [{ instancePath = '', message } = {}] = validate.errors ?? []
    throw new Error(`The answer of "${operationId}" differs from the document: data${instancePath} ${message}`)
  }
}
