/**
 * The document, as the server uses it: with the deployment's own URLs, and as a list of operations.
 * In: the bundled document of @posrep/spec. Out: what the router mounts and what `/openapi.json` serves.
 */
import type { OperationId } from '@posrep/spec'
import bundled from '@posrep/spec/openapi.json' with { type: 'json' }

export interface Origins {
  /** `{auth_url}` of the specification, without a trailing slash. */
  auth: string
  /** `{base_url}` */
  ingest: string
  /** `{surveillance_ui_url}` */
  ui: string
}

/**
 * The parts of the document that the server reads. A type alias, because the served document must have an index
 * signature.
 */
export type OpenApiDocument = { paths: Record<string, PathItem>; components: Components }

export interface Components {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
}

export interface Schema {
  $ref?: string
  required?: string[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

export interface Parameter {
  in: 'query' | 'path' | 'header'
  name: string
  required?: boolean
  schema: Schema
}

interface Reference {
  $ref: string
}

type Content = Record<string, { schema: Schema }>

export interface OperationObject {
  operationId: OperationId
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

type PathItem = { [method in (typeof methods)[number]]?: OperationObject } & Pick<OperationObject, 'parameters'> & {
    servers?: DocumentedServer[]
  }

export type Method = Uppercase<(typeof methods)[number]>

export interface DocumentedOperation {
  operationId: OperationId
  method: Method
  /** The path in the document, with parameters in braces. */
  template: string
  /** Matches the operation's paths, with ids percent-encoded or not; its groups are the parameters. */
  path: RegExp
  /** The servers that the operation is at; none = all of them. */
  servers: (keyof Origins)[]
  /** The token that the operation asks for, and the scopes it must have. */
  token?: { audience: 'user' | 'device'; scopes: string[] }
  /** Media type of the request body; none = the operation has no body. */
  requestMedia?: string
  /** Key: status. Value: media type of the response body. */
  responseMedia: Record<number, string>
  /** The operation in the document, with the parameters of its path; none is a reference. */
  definition: Omit<OperationObject, 'parameters'> & { parameters: Parameter[] }
}

const tokenSchemes: Record<string, 'user' | 'device'> = { userToken: 'user', deviceToken: 'device' }

interface DocumentedServer {
  url: string
  'x-server': keyof Origins
}

// The type that TypeScript derives from the JSON file has every path as a literal key, so a string cannot index it.
export const bundledDocument = bundled as unknown as OpenApiDocument

/** Returns the document with this deployment's origins instead of the default ones. */
export function documentFor(origins: Origins): OpenApiDocument {
  return JSON.parse(JSON.stringify(bundledDocument), (key, value) => {
    if (key === 'servers')
      return value.map((server: DocumentedServer) => ({ ...server, url: origins[server['x-server']] }))
    if (typeof value === 'string' && oauthUrls.has(key)) return `${origins.auth}${new URL(value).pathname}`
    return value
    // Only URLs were replaced, so the type is still that of the bundled document.
  }) as OpenApiDocument
}

const oauthUrls = new Set(['authorizationUrl', 'tokenUrl', 'refreshUrl'])

export function operationsOf({ paths, components }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
        '$ref' in parameter ? getReferenced(components.parameters, parameter.$ref) : parameter,
      )
      const servers = item.servers?.map((server) => server['x-server']) ?? []
      return [{ ...toOperation(template, method, { ...operation, parameters }), servers }]
    }),
  )
}

/** @throws Error if the reference does not resolve */
export function getReferenced<T>(named: Record<string, T>, reference: string): T {
  const found = named[reference.slice(reference.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`The reference "${reference}" does not resolve`)
  return found
}

function toOperation(
  template: string,
  method: (typeof methods)[number],
  definition: DocumentedOperation['definition'],
): Omit<DocumentedOperation, 'servers'> {
  const [scheme, scopes = []] = Object.entries(definition.security?.[0] ?? {})[0] ?? []
  const audience = scheme === undefined ? undefined : tokenSchemes[scheme]
  const requestMedia = Object.keys(definition.requestBody?.content ?? {})[0]
  return {
    operationId: definition.operationId,
    // `toUpperCase` loses the literal type.
    method: method.toUpperCase() as Method,
    template,
    path: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{([^{}]+)\}/g, '(?<$1>[^/]+)')}$`),
    ...(audience && { token: { audience, scopes } }),
    ...(requestMedia && { requestMedia }),
    responseMedia: Object.fromEntries(
      Object.entries(definition.responses).flatMap(([status, { content = {} }]) => {
        const [media] = Object.keys(content)
        return media === undefined ? [] : [[Number(status), media]]
      }),
    ),
    definition,
  }
}
