/**
 * The document's judgement of one operation's body, compiled once: for the hot lane, where express-openapi-validator costs
 * more than the rest of the request. The same Ajv, the same options, the same findings in the same words; a test holds both
 * to one judgement.
 * In: the document and an operation. Out: a function that throws what express-openapi-validator would throw.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'
import type { Finding } from './validation-places.ts'

/** @throws RefusedBody */
export type CheckBody = (body: unknown) => void

/** What `http/problem.ts` and `identity/oauth-error.ts` know as a refusal by the validator: a status and findings. */
class RefusedBody extends Error {
  override readonly name = 'RefusedBody'
  readonly status = 400
  readonly errors: Finding[]

  constructor(errors: Finding[]) {
    super(errors[0]?.message ?? 'The body is not valid')
    this.errors = errors
  }
}

/** A schema of the document, as far as it matters here. */
interface Schema {
  $ref?: string
  required?: string[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

/** @throws Error for an operation that this cannot judge as express-openapi-validator does. */
export function compileCheckBody(document: OpenApiDocument, operation: DocumentedOperation): CheckBody {
  const { operationId, requestMedia = '' } = operation
  const { parameters, requestBody } = findRaw(document, operation)
  const schema = requestBody?.content[requestMedia]?.schema
  if (!schema) throw new Error(`The document gives no body for "${operationId}"`)
  if (parameters) throw new Error(`"${operationId}" has parameters, which only express-openapi-validator judges`)

  const { components } = document
  // Components hold schemas by name; references of the bundled document lead nowhere else.
  const schemas = components.schemas as unknown as Record<string, Schema>
  const resolved = schema.$ref === undefined ? schema : getReferenced(schemas, schema.$ref)
  const ajv = createAjv()
  if (resolved.discriminator) return compileChoice(ajv, components, resolved)
  const validate = ajv.compile({
    components,
    properties: { body: schema },
    // Sic: express-openapi-validator asks for a body where the schema of the body asks for a member.
    ...(resolved.required && { required: ['body'] }),
  })
  return (body) => {
    if (!validate({ body })) throw new RefusedBody(toFindings(validate))
  }
}

/** For tests: throws where an answer is not as the document promises it. */
export function compileCheckAnswer(
  document: OpenApiDocument,
  operation: DocumentedOperation,
): (status: number, body: unknown) => void {
  const ajv = createAjv()
  const validators = new Map(
    Object.entries(findRaw(document, operation).responses).flatMap(([status, { content }]) => {
      const schema = content?.[operation.responseMedia[Number(status)] ?? '']?.schema
      return schema ? [[Number(status), ajv.compile({ components: document.components, ...schema })]] : []
    }),
  )
  return (status, body) => {
    const validate = validators.get(status)
    if (!validate || validate(body)) return
    throw new Error(`The answer of "${operation.operationId}" is not as documented: ${ajv.errorsText(validate.errors)}`)
  }
}

interface RawOperation {
  parameters?: unknown[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

function findRaw(document: OpenApiDocument, { template, method }: DocumentedOperation): RawOperation {
  // The operation was read from there; the document's own type is its literal shape.
  const paths = document.paths as unknown as Record<string, Record<string, RawOperation>>
  const raw = paths[template]?.[method.toLowerCase()]
  if (!raw) throw new Error(`The document has no ${method} of "${template}"`)
  return raw
}

/** One validator per value of the discriminator; places below it are named without the `/body` in front. */
function compileChoice(ajv: Ajv2020, components: object, { discriminator, oneOf = [] }: Schema): CheckBody {
  const { propertyName, mapping } = discriminator ?? { propertyName: '', mapping: {} }
  const validators = new Map<unknown, ValidateFunction>()
  for (const { $ref } of oneOf) {
    const option = Object.keys(mapping).find((value) => mapping[value] === $ref)
    if ($ref === undefined || option === undefined) throw new Error(`"${propertyName}" has a choice without a value`)
    validators.set(option, ajv.compile({ components, $ref }))
  }
  const message = `'${propertyName}' must be equal to one of the allowed values: ${[...validators.keys()].join(', ')}.`

  return (body) => {
    // A parsed form is an object.
    const validate = validators.get((body as Record<string, unknown>)[propertyName])
    if (!validate) throw new RefusedBody([{ path: '', message }])
    if (!validate(body)) throw new RefusedBody(toFindings(validate))
  }
}

function getReferenced(schemas: Record<string, Schema>, ref: string): Schema {
  const schema = schemas[ref.replace('#/components/schemas/', '')]
  if (!schema) throw new Error(`"${ref}" leads nowhere`)
  return schema
}

/** As express-openapi-validator 5.6 makes it for OpenAPI 3.1. */
function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    strictNumbers: true,
    strictTuples: true,
    validateSchema: false,
    useDefaults: true,
    // Every number that JSON can write down and that is left is a double.
    formats: { double: true },
    logger: {
      log() {},
      warn: refuseToCompile,
      error: refuseToCompile,
    },
  })
}

/** Ajv warns of a format that it does not know, and then lets everything pass. */
function refuseToCompile(...reasons: unknown[]): never {
  throw new Error(`A schema of the hot lane cannot be compiled: ${reasons.join(' ')}`)
}

function toFindings({ errors }: ValidateFunction): Finding[] {
  return (errors ?? []).map(toFinding)
}

function toFinding({ keyword, instancePath, params, message = '' }: ErrorObject): Finding {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return {
    path: member === undefined ? instancePath : `${instancePath}/${member}`,
    message: keyword === 'enum' ? `${message}: ${params.allowedValues.join(', ')}` : message,
    errorCode: `${keyword}.openapi.validation`,
  }
}
