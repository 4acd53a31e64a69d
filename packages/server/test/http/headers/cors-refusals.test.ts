/** An app at another origin can read why a busy server refuses: 429 and 503, with their Retry-After. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { createAnswerError, errorHandler } from '../../../src/http/errors/error-handler.ts'
import { cors } from '../../../src/http/headers/cors.ts'
import { documentFor } from '../../../src/http/operation/openapi-document.ts'
import { serveOperations } from '../../../src/http/operation/serve-operation.ts'
import { mountOperations } from '../../../src/http/router.ts'
import { createOpenApiValidator } from '../../../src/http/validation/openapi-validator.ts'
import { toOAuthError } from '../../../src/identity/oauth-error.ts'
import { silentLogger } from '../../a-server.ts'

const app = 'https://app.example'
let refusal: ApiError
const refuse = async () => {
  throw refusal
}

const router = express()
const server = createServer(router)
beforeAll(async () => {
  const document = documentFor({ auth: app, ingest: app, ui: app })
  const answerError = createAnswerError({ logger: silentLogger, errorAnswers: { issueToken: toOAuthError } })
  router.use(cors({ document, isAppOrigin: async (origin) => origin === app }))
  const handlers = { listDevices: refuse, issueToken: refuse }
  mountOperations(
    router,
    await serveOperations({
      document,
      handlers,
      answerError,
      createValidator: createOpenApiValidator,
      verifyAccessToken: async () => ({
        kind: 'user',
        userId: 'user',
        accountId: 'acme',
        clientId: 'app',
        scopes: ['surveillance_api'],
        tokenId: 'token',
      }),
    }),
  )
  router.use(errorHandler(answerError))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(() => void server.close())

function ask(path: string, init: RequestInit, origin: string) {
  const { port } = server.address() as AddressInfo
  const headers = { authorization: 'Bearer token', origin, connection: 'close' }
  return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
}

const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'app' })

test.each([
  ['/v1/devices', {}, 429, 'too_many_requests'],
  ['/v1/devices', {}, 503, 'unavailable'],
  ['/oauth/v2/token', { method: 'POST', body: form }, 429, 'too_many_requests'],
  ['/oauth/v2/token', { method: 'POST', body: form }, 503, 'unavailable'],
] as const)('%s, %j: %i', async (path, init, status, code) => {
  refusal = new ApiError(code, 'Busy', { headers: { 'Retry-After': '7' } })

  const { headers, ...answer } = await ask(path, init, app).then(async (one) => ({
    status: one.status,
    headers: one.headers,
    text: await one.text(),
  }))

  expect([answer.status, headers.get('retry-after')]).toEqual([status, '7'])
  expect(headers.get('access-control-allow-origin')).toBe(app)
  expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
  expect(headers.get('cache-control')).toBe('no-store')
  const stranger = await ask(path, init, 'https://evil.example')
  await stranger.arrayBuffer()
  expect(stranger.headers.get('access-control-allow-origin')).toBeNull()
})
