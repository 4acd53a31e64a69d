/**
 * Generates the table of operations: method, path, the origin that serves each, and the token that it needs.
 * In: the bundled document. Out: TypeScript source.
 */
import type { Document } from './document.ts'

interface Operation {
  operationId: string
  security?: Record<string, unknown>[]
}

interface Server {
  'x-server'?: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export function operationTableSource({ paths }: Pick<Document, 'paths'>): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!isOperation(operation)) return []
      const { operationId, security = [] } = operation
      const token = Object.keys(security[0] ?? {})[0]
      const row = { method: method.toUpperCase(), path, servers: toServers(item.servers), token: token ?? null }
      return [`  ${operationId}: ${JSON.stringify(row)},`]
    }),
  )
  return `export const operationTable = {\n${rows.join('\n')}\n} as const\n`
}

/** A path without servers of its own is served at every origin. */
function toServers(servers: unknown): string[] {
  return Array.isArray(servers) ? servers.map((server: Server) => server['x-server'] ?? '') : ['auth', 'ingest', 'ui']
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operationId' in value
}
