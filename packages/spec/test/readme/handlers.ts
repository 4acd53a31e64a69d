import { createMswHandlers } from '@posrep/spec/msw'
import { setupServer } from 'msw/node'

const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '1' } })

export const service = setupServer(...createMswHandlers().all({ pick: { submitPositionReport: busy } }))
