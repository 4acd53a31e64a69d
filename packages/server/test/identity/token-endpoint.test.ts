/** What the token endpoint says of forms that the document refuses, over the real server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, type ServerUnderTest } from '../a-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

const complete: Record<string, Record<string, string>> = {
  authorization_code: { code: 'c', redirect_uri: 'https://localhost:9443/callback' },
  refresh_token: { refresh_token: 'r' },
  client_credentials: { device_id: 'roof1' },
}

for (const [grant, fields] of Object.entries(complete)) {
  for (const field of Object.keys(fields)) {
    test(`${grant} without ${field} is refused by its name`, async () => {
      const { [field]: _, ...rest } = fields
      const body = new URLSearchParams({
        grant_type: grant,
        client_id: 'fleet',
        client_secret: 's3cret-fleet',
        ...rest,
      })
      const response = await server.fetch('/oauth/v2/token', { method: 'POST', body })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: `'${field}' is missing or wrong`,
      })
    })
  }
}

test('another method is refused in the form of OAuth, with the one that is taken', async () => {
  const response = await server.fetch('/oauth/v2/token')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})
