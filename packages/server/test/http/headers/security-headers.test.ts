import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { securityHeaders } from '../../../src/http/headers/security-headers.ts'

async function hstsOf(origin: string): Promise<string | null> {
  const app = express()
  app.use(securityHeaders({ auth: origin, ingest: origin, ui: origin }))
  app.use((_request, response) => void response.end())
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const { headers } = await fetch(`http://127.0.0.1:${port}/`)
  server.close()
  return headers.get('strict-transport-security')
}

test('a public deployment requires HTTPS (HSTS) for its own host only', async () => {
  expect(await hstsOf('https://api.example.com')).toBe('max-age=31536000')
})

test('a server on localhost does not require HTTPS, because other servers share that name', async () => {
  expect(await hstsOf('https://localhost:8443')).toBeNull()
})
