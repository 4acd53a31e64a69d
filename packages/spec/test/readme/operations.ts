import type { OperationId, Operations } from '@posrep/spec'
import document from '@posrep/spec/openapi.json' with { type: 'json' }

type Handlers = { [Id in OperationId]: (parameters: Operations[Id]['parameters']) => Promise<Response> }

export const listDevices: Handlers['listDevices'] = async ({ query }) =>
  Response.json({ data: [], limit: query?.limit })
export const title = document.info.title
