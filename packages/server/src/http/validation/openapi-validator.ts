/**
 * Checks requests against the document with express-openapi-validator. No other file knows this library.
 * In: the document and the operations that are served. Out: checks, which convert parameters to their documented types
 * or throw `RefusedRequest`. See docs/decisions/0023-fast-path.md.
 */
import { createHash } from 'node:crypto'
import express from 'express'
import { middleware, error as validatorErrors } from 'express-openapi-validator'
import {
  type Components,
  type DocumentedOperation,
  getReferenced,
  type OpenApiDocument,
} from '../operation/openapi-document.ts'
import { knownFormats } from './ajv.ts'
import {
  type CheckRequest,
  type Finding,
  RefusedRequest,
  type RequestParts,
  type RequestValidator,
} from './check-request.ts'

type Options = Parameters<typeof middleware>[0]
type Steps = ReturnType<typeof middleware>
type CheckedRequest = Parameters<Steps[number]>[0]
type ValidatorError = InstanceType<typeof validatorErrors.BadRequest>['errors'][number]

/** Its prototype of requests is all that is used of it. */
const app = express().enable('strict routing').enable('case sensitive routing')

/**
 * Operations that share a validator. For each request it compiles an expression for every path until one matches (2 to
 * 3 µs each), and at the start each validator compiles the schema of OpenAPI itself (40 ms).
 */
const groupSize = 12

/**
 * Key: the digest of a document. Value: its validator, ready. Servers of one process share them, because compiling
 * takes most of the time of a start.
 */
const ready = new Map<string, Promise<Steps>>()

/** @throws Error for a reference that does not resolve or a format that the validator would not check */
export async function createOpenApiValidator(
  { components }: OpenApiDocument,
  operations: readonly DocumentedOperation[],
): Promise<RequestValidator> {
  const checks = new Map<DocumentedOperation, CheckRequest>()
  for (let at = 0; at < operations.length; at += groupSize) {
    const group = operations.slice(at, at + groupSize)
    const steps = await stepsFor(toDocumentOf(group, components), group)
    for (const operation of group) checks.set(operation, createCheck(operation, steps))
  }
  return (operation) => {
    const check = checks.get(operation)
    if (!check) throw new Error(`"${operation.operationId}" has no check`)
    return check
  }
}

function stepsFor(apiSpec: Options['apiSpec'], group: readonly DocumentedOperation[]): Promise<Steps> {
  const key = createHash('sha256').update(JSON.stringify(apiSpec)).digest('base64')
  let steps = ready.get(key)
  if (!steps) {
    steps = compile(apiSpec, group)
    ready.set(key, steps)
    steps.catch(() => ready.delete(key))
  }
  return steps
}

async function compile(apiSpec: Options['apiSpec'], group: readonly DocumentedOperation[]): Promise<Steps> {
  const steps = middleware({
    apiSpec,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true },
    // `authenticate.ts` and `request-body.ts` come before.
    validateSecurity: false,
    fileUploader: false,
  })
  for (const operation of group) await warm(operation, createCheck(operation, steps))
  return steps
}

function createCheck(operation: DocumentedOperation, steps: Steps): CheckRequest {
  const toRequest = toRequestOf(operation)
  return async (parts) => {
    const request = toRequest(parts)
    for (const step of steps) {
      await new Promise<void>((resolve, reject) => {
        step(request, app.response, (error?: unknown) => (error ? reject(toRefusal(error)) : resolve()))
      })
    }
    // The validator passes on a request whose path it does not find, without a check.
    if (request.openapi?.schema.operationId !== operation.operationId) {
      throw new Error(`"${parts.path}" was not checked against "${operation.operationId}"`)
    }
    return { path: request.params, query: request.query }
  }
}

/** The validator loads the document and compiles schemas at the first request. */
async function warm({ template }: DocumentedOperation, check: CheckRequest): Promise<void> {
  try {
    await check({ path: template.replace(/[{}]/g, ''), query: {}, headers: {}, body: {} })
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error
  }
}

/** Makes the request that the validator sees. It has the documented query parameters and headers only. */
function toRequestOf(operation: DocumentedOperation): (parts: RequestParts) => CheckedRequest {
  const { method, requestMedia, definition } = operation
  const named = (place: string) => definition.parameters.filter((parameter) => parameter.in === place)
  const queryNames = named('query').map(({ name }) => name)
  const headerNames = named('header').map(({ name }) => name.toLowerCase())
  // The validator keeps a compiled schema for each content type that it sees, so it sees only the documented one.
  const contentType = requestMedia && { 'content-type': requestMedia }
  return ({ path, query, headers, body }) => {
    const parts = {
      app,
      method,
      url: path,
      originalUrl: path,
      baseUrl: '',
      query: pick(query, queryNames),
      headers: { ...pick(headers, headerNames), ...contentType },
      body,
    }
    return Object.create(app.request, Object.getOwnPropertyDescriptors(parts))
  }
}

function pick(record: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]))
}

/** The document of these operations, without their answers. */
function toDocumentOf(operations: readonly DocumentedOperation[], components: Components): Options['apiSpec'] {
  const paths: Record<string, Record<string, object>> = {}
  for (const { template, method, definition } of operations) {
    const { operationId, parameters, requestBody } = definition
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: { operationId, parameters, ...(requestBody && { requestBody }) },
    }
  }
  const schemas = findSchemas(paths, components.schemas)
  const document = { openapi: '3.1.0', info: { title: 'Requests', version: '' }, paths, components: { schemas } }
  // The validator's type also asks for parts that it does not read, such as webhooks.
  return document as unknown as Options['apiSpec']
}

/**
 * The schemas that the value refers to, directly or through others. Each comes after those that it refers to: the
 * validator adds the required members of an alternative to the next one if it meets them first below a discriminator.
 */
function findSchemas(value: unknown, schemas: Components['schemas']): Components['schemas'] {
  const found: Components['schemas'] = {}
  const seen = new Set<string>()
  function visit(part: unknown): void {
    JSON.stringify(part, (key, member) => {
      if (key === 'format' && typeof member === 'string' && !(member in knownFormats)) {
        throw new Error(`The format "${member}" would not be checked`)
      }
      if (key === '$ref' && !seen.has(member)) {
        seen.add(member)
        const schema = getReferenced(schemas, member)
        visit(schema)
        found[member.slice(member.lastIndexOf('/') + 1)] = schema
      }
      return member
    })
  }
  visit(value)
  return found
}

/** What the validator says of the path and of a discriminator is only in its sentence. */
const malformedPath = /^malformed uri/
const wrongDiscriminator = /^'([^']+)' must be equal to one of the allowed values: (.*)\.$/s
/** The sentences of Ajv that name values, a limit or a type. */
const expectation =
  /^must (?:be (?:equal to one of the allowed values: |[<>]= )?(.*)|NOT have (?:fewer|more) than (\d+) \w+)$/s

const parts: Record<string, Finding['part']> = { params: 'path', query: 'query', headers: 'headers', body: 'body' }

function toRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof validatorErrors.BadRequest)) return thrown
  return new RefusedRequest(thrown.errors.map(toFinding), { cause: thrown })
}

function toFinding({ path, message, errorCode = '' }: ValidatorError): Finding {
  if (malformedPath.test(message)) return { part: 'path', pointer: '', keyword: 'encoding', expected: '', message }
  const [, property, values = ''] = wrongDiscriminator.exec(message) ?? []
  if (property) return { part: 'body', pointer: `/${property}`, keyword: 'discriminator', expected: values, message }
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
  const part = parts[first]
  const [, text, number = ''] = expectation.exec(message) ?? []
  return {
    // Below a discriminator, paths start in the body.
    part: part ?? 'body',
    pointer: part ? rest : path,
    keyword: errorCode.slice(0, errorCode.indexOf('.')),
    expected: text ?? number,
    message,
  }
}
