/** Where the access token is sent. */
import { expect, test } from 'vitest'
import { createAuthorizedFetch } from '../src/authorized-fetch.ts'
import { aFetch } from './builders.ts'

const origin = 'https://api.example.net:8443'

test.each([
  'https://api.example.net:8444/v1/devices',
  'https://api.example.net/v1/devices',
  'http://api.example.net:8443/v1/devices',
  'https://example.net:8443/v1/devices',
  'https://evil.api.example.net:8443/v1/devices',
  'https://api.example.net.evil.example:8443/v1/devices',
])('a request to %s gets no token of https://api.example.net:8443 and is not sent', async (url) => {
  const { fetch, requests } = aFetch(() => new Response())
  const authorized = createAuthorizedFetch({ origin, getToken: () => 'secret', fetch })

  await expect(authorized(new Request(url))).rejects.toMatchObject({ code: 'foreign_origin' })
  expect(requests).toHaveLength(0)
})

test('a request to the exact origin gets the token', async () => {
  const { fetch, requests } = aFetch(() => new Response())
  await createAuthorizedFetch({ origin, getToken: () => 'secret', fetch })(new Request(`${origin}/v1/devices`))
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer secret')
})
