/**
 * Fastify at its best: its JWT plugin with the cache of verified tokens, its own ajv with our schema, and an append to
 * SQLite that is on the disk before the answer; all reports of one turn of the event loop share a commit.
 * DELETE /reports empties the table, GET counts it; neither is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import jwt from '@fastify/jwt'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import fastify, { type FastifyRequest } from 'fastify'
import { createDeviceTokens } from './device-tokens.ts'
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
const database = new DatabaseSync(join(folder, 'reports.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE reports (seq INTEGER PRIMARY KEY, device TEXT NOT NULL, accepted_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT`)
const insert = database.prepare('INSERT INTO reports (device, accepted_at, body) VALUES (?, ?, ?)')

interface Waiting {
  device: string
  body: string
  committed(): void
  failed(error: unknown): void
}

let waiting: Waiting[] = []

function append(device: string, body: string): Promise<void> {
  return new Promise((committed, failed) => {
    waiting.push({ device, body, committed, failed })
    // After all that this turn of the event loop has read.
    if (waiting.length === 1) setImmediate(commit)
  })
}

function commit(): void {
  const batch = waiting
  waiting = []
  const now = Date.now()
  try {
    database.exec('BEGIN IMMEDIATE')
    for (const { device, body } of batch) insert.run(device, now, body)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    for (const { failed } of batch) failed(error)
    return
  }
  for (const { committed } of batch) committed()
}

const app = fastify({
  bodyLimit: 1024 * 1024,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false } },
})
await app.register(jwt, {
  secret: { public: publicKeyPem },
  // In place of a cache entry per call: verified once, remembered, `exp` judged on every call.
  verify: { algorithms: ['ES256'], cache: 1_000 },
})
const texts = new WeakMap<FastifyRequest, string>()
app.removeContentTypeParser('application/json')
app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
  // What is kept is what was sent, so that nothing is written as JSON again.
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
    await append(device, texts.get(request) ?? '')
    return reply.code(202).send()
  },
)
app.delete('/reports', async (_request, reply) => {
  database.exec('DELETE FROM reports')
  return reply.code(204).send()
})
app.get('/reports', async () => database.prepare('SELECT count(*) AS count FROM reports').get())
await app.listen({ port: 0, host: '127.0.0.1' })
tellReady(app.server, { devices })
