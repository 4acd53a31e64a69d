/**
 * The document, as the pages of the API reference show it.
 * In: the document of this server. Out: its operations, the messages to relays, and its schemas; references to
 * parameters, headers and responses are resolved, those to schemas are links.
 */
import { getReferenced, type OpenApiDocument } from '../../http/operation/openapi-document.ts'

export type Origin = 'specification' | 'toolkit'

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  'x-origin'?: Origin
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface MediaType {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
  'x-origin'?: Origin
}

export interface Header {
  description?: string
  schema: Schema
}

export interface Answer {
  status: string
  description: string
  headers: Record<string, Header>
  content: Record<string, MediaType>
}

export interface Operation {
  id: string
  /** `MESSAGE`: the service sends it to a relay. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'MESSAGE'
  /** Of a message: its name. */
  path: string
  tag: string
  summary: string
  description: string
  origin: Origin
  /** Where it is, without a trailing slash; empty for a message. */
  server: string
  token: 'user' | 'device' | undefined
  parameters: Parameter[]
  body: Record<string, MediaType>
  answers: Answer[]
}

export interface Reference {
  tags: { name: string; description: string }[]
  operations: Operation[]
  /** By name. */
  schemas: Map<string, Schema>
}

type Reused<T> = T | { $ref: string }

interface OperationObject {
  operationId?: string
  tags: string[]
  summary: string
  description: string
  'x-origin': Origin
  security?: Record<string, string[]>[]
  parameters?: Reused<Parameter>[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Reused<AnswerObject>>
}

interface AnswerObject {
  description: string
  headers?: Record<string, Reused<Header>>
  content?: Record<string, MediaType>
}

type PathItem = Record<string, OperationObject> & { parameters?: Reused<Parameter>[]; servers?: { url: string }[] }

interface WholeDocument {
  tags: Reference['tags']
  paths: Record<string, PathItem>
  webhooks: Record<string, { post: OperationObject }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, AnswerObject>
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** @param server Of the operations that are at every server. */
export function toReference(document: OpenApiDocument, server: string): Reference {
  // The router's type of the document has only what the router reads.
  const whole = document as unknown as WholeDocument
  const { components } = whole
  const resolve = <T>(named: Record<string, T>, one: Reused<T>): T =>
    // What is no reference is the object itself.
    hasReference(one) ? getReferenced(named, one.$ref) : (one as T)

  function toOperation(method: string, path: string, object: OperationObject, item?: PathItem): Operation {
    const { operationId = path, tags, summary, description, security = [], requestBody, responses } = object
    const parameters = [...(item?.parameters ?? []), ...(object.parameters ?? [])]
    const schemes = security.flatMap((one) => Object.keys(one))
    return {
      id: operationId,
      // One of `methods`, or a message.
      method: method.toUpperCase() as Operation['method'],
      path,
      tag: tags[0] ?? '',
      summary,
      description,
      origin: object['x-origin'],
      server: item?.servers?.[0]?.url ?? server,
      token: schemes.includes('userToken') ? 'user' : schemes.includes('deviceToken') ? 'device' : undefined,
      parameters: parameters.map((one) => resolve(components.parameters, one)),
      body: requestBody?.content ?? {},
      answers: Object.entries(responses).map(([status, one]) => {
        const { description, headers = {}, content = {} } = resolve(components.responses, one)
        const named = Object.entries(headers).map(([name, header]) => [name, resolve(components.headers, header)])
        return { status, description, headers: Object.fromEntries(named), content }
      }),
    }
  }

  const operations = Object.entries(whole.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const object = item[method]
      return object ? [toOperation(method, path, object, item)] : []
    }),
  )
  const messages = Object.entries(whole.webhooks).map(([name, { post }]) => toOperation('message', name, post))
  return {
    tags: whole.tags,
    operations: [...operations, ...messages],
    schemas: new Map(Object.entries(components.schemas)),
  }
}

function hasReference<T>(one: Reused<T>): one is { $ref: string } {
  return typeof one === 'object' && one !== null && '$ref' in one
}

/** The first example of a body. */
export function findExample({ example, examples = {} }: MediaType): unknown {
  return Object.values(examples)[0]?.value ?? example
}

/** The name of the schema that a reference is to. */
export function toSchemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
