/**
 * Checks the parameters and the body of an operation's requests against the document, with validators that Ajv compiles at the
 * start.
 * In: the document and an operation. Out: a function that throws `RefusedRequest`.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Components, DocumentedOperation, OpenApiDocument, Parameter, Schema } from './openapi-document.ts'

/** In the form of express-openapi-validator: `/body/positions/0/id`, "must have required property 'id'". */
export interface Finding {
  path: string
  message: string
  errorCode?: string
}

/** The check changes these objects: it converts texts to the documented types and adds defaults. */
export interface RequestParameters {
  query: Record<string, unknown>
  params: Record<string, unknown>
}

type Check<T> = (value: T) => Finding[]

/** The error for a request that the document does not allow; `http/errors/problem.ts` and `identity/oauth-error.ts` recognise it. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly errors: Finding[]

  constructor(errors: Finding[]) {
    super(errors[0]?.message ?? 'The request is not valid')
    this.errors = errors
  }
}

/** @throws Error for a schema that cannot be compiled. The check that is returned throws `RefusedRequest`. */
export function compileCheckRequest(
  { components }: OpenApiDocument,
  { definition, requestMedia = '' }: DocumentedOperation,
): (parameters: RequestParameters, body: unknown) => void {
  const schema = definition.requestBody?.content[requestMedia]?.schema
  const checkParameters = compileCheckParameters(components, definition.parameters)
  const checkBody: Check<unknown> = schema ? compileCheckBody(components, schema) : () => []
  return (parameters, body) => {
    const findings = [...checkParameters(parameters), ...checkBody(body)]
    if (findings.length > 0) throw new RefusedRequest(findings)
  }
}

/** For tests and development. The check that is returned throws when an answer differs from the document. */
export function compileCheckAnswer(
  { components }: OpenApiDocument,
  { operationId, definition, responseMedia }: DocumentedOperation,
): (status: number, body: unknown) => void {
  const ajv = createAjv()
  const validators = new Map(
    Object.entries(definition.responses).flatMap(([status, { content }]) => {
      const schema = content?.[responseMedia[Number(status)] ?? '']?.schema
      return schema ? [[Number(status), ajv.compile({ components, ...schema })]] : []
    }),
  )
  return (status, body) => {
    const validate = validators.get(status)
    if (!validate || validate(body)) return
    throw new Error(`The answer of "${operationId}" differs from the document: ${ajv.errorsText(validate.errors)}`)
  }
}

function compileCheckParameters(components: Components, parameters: Parameter[] = []): Check<RequestParameters> {
  const { query, path } = Object.groupBy(
    parameters.map((parameter) =>
      parameter.$ref === undefined ? parameter : getReferenced(components.parameters, parameter.$ref),
    ),
    (parameter) => parameter.in,
  )
  if (!query && !path) return () => []
  // Parameters are sent as text.
  const ajv = createAjv({ coerceTypes: true })
  return toCheck(ajv.compile({ components, properties: { query: toObject(query), params: toObject(path) } }))
}

function toObject(parameters: Parameter[] = []): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

function compileCheckBody(components: Components, schema: Schema): Check<unknown> {
  const resolved = schema.$ref === undefined ? schema : getReferenced(components.schemas, schema.$ref)
  const ajv = createAjv()
  if (resolved.discriminator) return compileChoice(ajv, components, resolved)
  // A body must be sent if its schema has required members.
  const required = resolved.required && { required: ['body'] }
  const check = toCheck(ajv.compile({ components, properties: { body: schema }, ...required }))
  return (body) => check({ body })
}

/** Compiles one validator per value of the discriminator. The paths of its findings do not start with `/body`. */
function compileChoice(ajv: Ajv2020, components: object, { discriminator, oneOf = [] }: Schema): Check<unknown> {
  const { propertyName, mapping } = discriminator ?? { propertyName: '', mapping: {} }
  const checks = new Map<unknown, Check<unknown>>()
  for (const { $ref } of oneOf) {
    const option = Object.keys(mapping).find((value) => mapping[value] === $ref)
    if ($ref === undefined || option === undefined) throw new Error(`"${propertyName}" has a choice without a value`)
    checks.set(option, toCheck(ajv.compile({ components, $ref })))
  }
  const message = `'${propertyName}' must be equal to one of the allowed values: ${[...checks.keys()].join(', ')}.`
  // A parsed form is an object.
  return (body) => checks.get((body as Record<string, unknown>)[propertyName])?.(body) ?? [{ path: '', message }]
}

function getReferenced<T>(named: Record<string, T>, ref: string): T {
  const found = named[ref.slice(ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`The reference "${ref}" does not resolve`)
  return found
}

function createAjv(options: { coerceTypes?: true } = {}): Ajv2020 {
  return new Ajv2020({
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    validateSchema: false,
    useDefaults: true,
    // `parseJson` has refused numbers that are not doubles.
    formats: { double: true },
    logger: {
      log() {},
      warn: refuseToCompile,
      error: refuseToCompile,
    },
    ...options,
  })
}

/** Ajv warns of a format that it does not know, and then accepts every text. */
function refuseToCompile(...reasons: unknown[]): never {
  throw new Error(`A schema of the document cannot be compiled: ${reasons.join(' ')}`)
}

function toCheck(validate: ValidateFunction): Check<unknown> {
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toFinding))
}

function toFinding({ keyword, instancePath, params, message = '' }: ErrorObject): Finding {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return {
    path: member === undefined ? instancePath : `${instancePath}/${member}`,
    message: keyword === 'enum' ? `${message}: ${params.allowedValues.join(', ')}` : message,
    errorCode: `${keyword}.openapi.validation`,
  }
}
