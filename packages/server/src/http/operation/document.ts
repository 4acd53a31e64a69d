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
  /** The path in the document, with parameters in braces. */
  template: string
  /** Matches the operation's paths, with ids percent-encoded or not; its groups are the parameters. */
  path: RegExp
  /** The token that the operation asks for, and the scopes it must have. */
  token?: { audience: 'user' | 'device'; scopes: string[] }
  /** Media type of the request body; none = the operation has no body. */
  requestMedia?: string
  /** Key: status. Value: media type of the response body. */
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

/** Returns the document with this deployment's origins instead of the default ones. */
export function documentFor(origins: Origins): OpenApiDocument {
  return JSON.parse(JSON.stringify(bundled), (key, value) => {
    if (key === 'servers')
      return value.map((server: DocumentedServer) => ({ ...server, url: origins[server['x-server']] }))
    if (typeof value === 'string' && oauthUrls.has(key)) return `${origins.auth}${new URL(value).pathname}`
    return value
    // Only URLs were replaced, so the type is still that of the bundled document.
  }) as OpenApiDocument
}

const oauthUrls = new Set(['authorizationUrl', 'tokenUrl', 'refreshUrl'])

export function operationsOf(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) =>
        // The filter leaves only methods, and the linted document has an operation under each of them.
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
