/**
 * Checks the bodies of the fast path's operations against the document, with validators that Ajv compiles at the start.
 * They judge as `openapi-validator.ts` does, without Express.
 * In: the document and an operation without parameters. Out: a function that throws `RefusedRequest`.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import {
  type Components,
  type DocumentedOperation,
  getReferenced,
  type OpenApiDocument,
  type Schema,
} from '../operation/openapi-document.ts'
import { createAjv } from './ajv.ts'
import {
  type Finding,
  RefusedRequest,
  type RequestParameters,
  type RequestParts,
  type RequestValidator,
} from './check-request.ts'

type CheckBody = (body: unknown) => Finding[]

export function createRequestValidator(document: OpenApiDocument): RequestValidator {
  return (operation) => compileCheckRequest(document, operation)
}

/** @throws Error for a schema that cannot be compiled, and for an operation with parameters */
export function compileCheckRequest(
  { components }: OpenApiDocument,
  { operationId, definition, requestMedia = '' }: DocumentedOperation,
): (parts: Pick<RequestParts, 'body'>) => RequestParameters {
  if (definition.parameters.length > 0) throw new Error(`"${operationId}" has parameters: only Express can serve it`)
  const schema = definition.requestBody?.content[requestMedia]?.schema
  if (!schema) throw new Error(`"${operationId}" has no body`)
  const checkBody = compileCheckBody(components, schema)
  return ({ body }) => {
    const findings = checkBody(body)
    if (findings.length > 0) throw new RefusedRequest(findings)
    return { path: {}, query: {} }
  }
}

function compileCheckBody(components: Components, schema: Schema): CheckBody {
  const ajv = createAjv()
  const resolved = schema.$ref === undefined ? schema : getReferenced(components.schemas, schema.$ref)
  const { discriminator, oneOf = [], required } = resolved
  const toCheck = (option: Schema) => toCheckBody(ajv.compile({ components, ...option }))
  if (discriminator) return toChoice(discriminator, oneOf, toCheck)
  const check = toCheck(schema)
  const missing: Finding = { part: 'body', pointer: '', keyword: 'required', expected: '', message: 'must be sent' }
  return (body) => (body === undefined && required ? [missing] : check(body))
}

/** Compiles one validator per value of the discriminator. */
function toChoice(
  { propertyName, mapping }: NonNullable<Schema['discriminator']>,
  options: Schema[],
  toCheck: (option: Schema) => CheckBody,
): CheckBody {
  const checks = new Map<unknown, CheckBody>()
  for (const option of options) {
    const value = Object.keys(mapping).find((name) => mapping[name] === option.$ref)
    if (value === undefined) throw new Error(`"${propertyName}" has a choice without a value`)
    checks.set(value, toCheck(option))
  }
  const expected = [...checks.keys()].join(', ')
  const wrong: Finding = {
    part: 'body',
    pointer: `/${propertyName}`,
    keyword: 'discriminator',
    expected,
    message: `must be one of ${expected}`,
  }
  // A parsed form is an object.
  return (body) => checks.get((body as Record<string, unknown>)[propertyName])?.(body) ?? [wrong]
}

function toCheckBody(validate: ValidateFunction): CheckBody {
  return (body) => (validate(body) ? [] : (validate.errors ?? []).map(toFinding))
}

function toFinding({ keyword, instancePath, params, message = '' }: ErrorObject): Finding {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return {
    part: 'body',
    pointer: member === undefined ? instancePath : `${instancePath}/${member}`,
    keyword,
    expected: String(params.limit ?? params.type ?? params.allowedValues?.join(', ') ?? ''),
    message,
  }
}
