/**
 * Generates the table of operations: method, path, the origin that serves each, and the token that it needs; and the
 * type of those that are answered in portions.
 * In: the bundled document. Out: TypeScript source.
 */
import type { Document } from './document.ts'

interface Operation {
  operationId: string
  security?: Record<string, unknown>[]
  'x-in-portions'?: boolean
}

interface Server {
  'x-server'?: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

interface Row {
  operationId: string
  method: string
  path: string
  /** The usual one first. */
  servers: string[]
  token: string | null
}

export function operationTableSource({ paths }: Pick<Document, 'paths'>): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return isOperation(operation) ? [{ operation, method, path, servers: toServers(item.servers) }] : []
    }),
  )
  const rows = operations.map(({ operation, ...place }) => toRow(operation, place))
  const table = rows.map(({ operationId, ...row }) => [operationId, row])
  // A small table of its own, for programs in browsers.
  const others = rows.filter(({ token }) => token !== 'userToken')
  const serverOf = others.map(({ path, servers }) => [path, servers.includes('ui') ? 'ui' : servers[0]])
  const inPortions = operations.flatMap(({ operation }) =>
    operation['x-in-portions'] ? [`  | '${operation.operationId}'`] : [],
  )
  return [
    `export const operationTable = ${toSource(table)}`,
    `export const serverOfPathWithoutUser = ${toSource(serverOf)}`,
    `export type OperationInPortions =\n${inPortions.join('\n')}\n`,
  ].join('\n')
}

function toRow(
  { operationId, security = [] }: Operation,
  { method, ...place }: Pick<Row, 'method' | 'path' | 'servers'>,
): Row {
  const token = Object.keys(security[0] ?? {})[0] ?? null
  return { operationId, method: method.toUpperCase(), ...place, token }
}

function toSource(entries: unknown[][]): string {
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)} as const\n`
}

/** A path without servers of its own is served at every origin. */
function toServers(servers: unknown): string[] {
  return Array.isArray(servers) ? servers.map((server: Server) => server['x-server'] ?? '') : ['auth', 'ingest', 'ui']
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operationId' in value
}
