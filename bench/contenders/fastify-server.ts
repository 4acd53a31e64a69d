/**
 * Fastify with its fastest setup: the JWT plugin with a cache of verified tokens, its ajv with the Posrep schema, and
 * an append to SQLite that is on the disk before the answer. The serving thread commits, or another one with --worker.
 * DELETE /reports empties the table and GET counts its rows; neither is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jwt from '@fastify/jwt'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import fastify, { type FastifyRequest } from 'fastify'
import { createDeviceTokens } from './device-tokens.ts'
import { commitBeside, commitHere } from './group-commit.ts'
import { openReportTable } from './report-table.ts'
import { tellReady } from './tell-ready.ts'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

interface Report {
  sensor?: { id?: string }
}

const { publicKeyPem, devices } = createDeviceTokens(50)
const folder = mkdtempSync(join(tmpdir(), 'posrep-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true }))
const isBeside = process.argv.includes('--worker')
const table = openReportTable(folder)
const { append } = isBeside
  ? commitBeside(new URL('report-table-worker.ts', import.meta.url), folder)
  : commitHere(table)

const app = fastify({
  bodyLimit: 1024 * 1024,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false } },
})
await app.register(jwt, {
  secret: { public: publicKeyPem },
  // A token is verified once and cached; `exp` is checked on every call.
  verify: { algorithms: ['ES256'], cache: 1_000 },
})
const texts = new WeakMap<FastifyRequest, string>()
app.removeContentTypeParser('application/json')
app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
  // The raw body is stored, so that it need not be serialised again.
  texts.set(request, text.toString())
  try {
    done(null, JSON.parse(text.toString()))
  } catch (error) {
    done(error instanceof Error ? error : new Error('Not JSON'))
  }
})
app.post<{ Body: Report }>(
  '/v1/position-reports',
  {
    schema: { body: { components: document.components, $ref: '#/components/schemas/PositionReport' } },
    onRequest: (request) => request.jwtVerify(),
  },
  async (request, reply) => {
    const device = request.user.sub
    const sensorId = request.body.sensor?.id
    if (sensorId !== undefined && sensorId !== device.slice(device.lastIndexOf(':') + 1)) return reply.code(403).send()
    await append({ device, body: texts.get(request) ?? '' })
    return reply.code(202).send()
  },
)
app.delete('/reports', async (_request, reply) => {
  table.clear()
  return reply.code(204).send()
})
app.get('/reports', async () => ({ count: table.count() }))
await app.listen({ port: 0, host: '127.0.0.1' })
tellReady(app.server, { devices })
