/** The identity provider alone, mounted in another Express application. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createIdentity, type GivenSettings, resolveSettings } from '../../src/index.ts'
import { seed } from '../a-server.ts'

const authOrigin = 'https://id.example'
const deviceTokenRequest = {
  grant_type: 'client_credentials',
  client_id: 'fleet',
  client_secret: 's3cret-fleet',
  token_format: 'jwt',
  device_id: 'roof1',
}

async function anApplication(flags: GivenSettings = { memory: true }) {
  const settings = resolveSettings({ flags: { 'auth-origin': authOrigin, ...flags }, environment: {} })
  // No test signs in, and hashing passwords takes time.
  const identity = await createIdentity({ settings, seeds: [{ ...seed, users: [] }] })
  const app = express()
  app.use(identity.router)
  app.get('/own', (_request, response) => void response.send('mine'))
  app.get('/who', async (request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const principal = await identity.verifyAccessToken(token, 'device').catch(() => undefined)
    response.status(principal ? 200 : 401).json(principal ?? {})
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = async () => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    await identity.close()
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    identity,
    close,
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers }),
    async token(fields: Record<string, string>) {
      const body = new URLSearchParams(fields)
      const response = await fetch(`${origin}/oauth/v2/token`, { method: 'POST', body })
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    },
  }
}

test('a sensor gets a token by client credentials, and the application checks it', async () => {
  const app = await anApplication()
  onTestFinished(app.close)

  const { status, body } = await app.token(deviceTokenRequest)
  const who = await app.get('/who', { authorization: `Bearer ${body.access_token}` })

  expect(status).toBe(200)
  expect(who.status).toBe(200)
  expect(await who.json()).toMatchObject({ kind: 'device', deviceUrn: 'urn:aa:device:fleet:roof1' })

  await app.identity.revoke({ kind: 'device', deviceUrn: 'urn:aa:device:fleet:roof1' })
  expect((await app.get('/who', { authorization: `Bearer ${body.access_token}` })).status).toBe(401)
})

test("the application's own paths and headers are untouched", async () => {
  const app = await anApplication()
  onTestFinished(app.close)

  const own = await app.get('/own')

  expect(await own.text()).toBe('mine')
  expect(own.headers.has('content-security-policy')).toBe(false)
  // Other operations of the OpenAPI document are not served.
  expect((await app.get('/v1/devices')).headers.get('content-type')).toContain('text/html')
})

test('metadata, errors and pages are the same as those of the server', async () => {
  const app = await anApplication()
  onTestFinished(app.close)

  const metadata = await app.get('/.well-known/oauth-authorization-server')
  expect(await metadata.json()).toMatchObject({ issuer: authOrigin, token_endpoint: `${authOrigin}/oauth/v2/token` })
  expect(metadata.headers.get('content-security-policy')).toContain("default-src 'none'")

  expect(await app.token({ ...deviceTokenRequest, client_secret: 'wrong' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
  expect((await app.get('/oauth/v2/token')).status).toBe(405)

  const query = new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    scope: 'surveillance_api',
    redirect_uri: 'https://localhost:9443/callback',
  })
  const page = await app.get(`/oauth/v2/authorize?${query}`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Sign in')
})

test('stored data is still there when the identity provider is created again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-embedded-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const first = await anApplication({ 'data-dir': folder })
  const { body } = await first.token(deviceTokenRequest)
  await first.close()

  const second = await anApplication({ 'data-dir': folder })
  onTestFinished(second.close)

  expect((await second.get('/who', { authorization: `Bearer ${body.access_token}` })).status).toBe(200)
})

test('the identity provider is not created without its public origin', async () => {
  const settings = resolveSettings({ flags: { memory: true }, environment: {} })

  await expect(createIdentity({ settings })).rejects.toThrow('"authOrigin" is required')
})
