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

export type OpenApiDocument = typeof bundled

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface DocumentedOperation {
  operationId: OperationId
  method: Method
  /** Its path as the document has it, parameters in braces. */
  template: string
  /** Matches the operation's paths, with ids percent-encoded or not; its groups are the parameters. */
  path: RegExp
  /** The token that the operation asks for, and the scopes it must have. */
  token?: { audience: 'user' | 'device'; scopes: string[] }
  /** Media type of the request body; none = the operation has no body. */
  requestMedia?: string
  /** Media type of the body that goes with a status. */
  responseMedia: Record<number, string>
}

interface RawOperation {
  operationId: OperationId
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

const tokenSchemes: Record<string, 'user' | 'device'> = { userToken: 'user', deviceToken: 'device' }

interface DocumentedServer {
  url: string
  'x-server': keyof Origins
}

/** The document with this deployment's origins in place of the defaults that it is written with. */
export function documentFor(origins: Origins): OpenApiDocument {
  return JSON.parse(JSON.stringify(bundled), (key, value) => {
    if (key === 'servers')
      return value.map((server: DocumentedServer) => ({ ...server, url: origins[server['x-server']] }))
    if (typeof value === 'string' && oauthUrls.has(key)) return `${origins.auth}${new URL(value).pathname}`
    return value
    // The shape is the bundled document's; only addresses were replaced.
  }) as OpenApiDocument
}

const oauthUrls = new Set(['authorizationUrl', 'tokenUrl', 'refreshUrl'])

export function operationsOf(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) =>
        // The bundled document is linted: these keys hold operations. Methods are upper-cased above the filter's list.
        toOperation(template, method.toUpperCase() as Method, operation as unknown as RawOperation),
      ),
  )
}

function toOperation(template: string, method: Method, raw: RawOperation): DocumentedOperation {
  const [scheme, scopes = []] = Object.entries(raw.security?.[0] ?? {})[0] ?? []
  const audience = scheme === undefined ? undefined : tokenSchemes[scheme]
  const requestMedia = Object.keys(raw.requestBody?.content ?? {})[0]
  return {
    operationId: raw.operationId,
    method,
    template,
    path: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`),
    ...(audience && { token: { audience, scopes } }),
    ...(requestMedia && { requestMedia }),
    responseMedia: Object.fromEntries(
      Object.entries(raw.responses).flatMap(([status, { content = {} }]) => {
        const [media] = Object.keys(content)
        return media === undefined ? [] : [[Number(status), media]]
      }),
    ),
  }
}
