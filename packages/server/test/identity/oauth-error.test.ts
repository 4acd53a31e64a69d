import { expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { RefusedRequest } from '../../src/http/operation/request-validator.ts'
import { OAuthError, toOAuthError } from '../../src/identity/oauth-error.ts'

test.each([
  ['an OAuth error', new OAuthError('invalid_scope', 'No'), 400, 'invalid_scope'],
  ['a dead refresh token', new OAuthError('invalid_grant', 'No', { status: 401 }), 401, 'invalid_grant'],
  ['a refused client', new OAuthError('invalid_client', 'No'), 401, 'invalid_client'],
  ['a store that does not answer', new ApiError('unavailable', 'redis://secret'), 503, 'temporarily_unavailable'],
  ['too many attempts', new ApiError('too_many_requests', 'No'), 429, 'temporarily_unavailable'],
  ['another method', new ApiError('method_not_allowed', 'No', { headers: { Allow: 'POST' } }), 405, 'invalid_request'],
  ['another media type', new ApiError('unsupported_media_type', 'No'), 400, 'invalid_request'],
  ['a body that is too large', new ApiError('body_too_large', 'No'), 413, 'invalid_request'],
  ['a body that cannot be parsed', new ApiError('invalid_body', 'No'), 400, 'invalid_request'],
  ['a form that the document does not allow', new RefusedRequest([]), 400, 'invalid_request'],
  ['a bug', new TypeError('secret detail'), 500, 'server_error'],
  ['nothing at all', undefined, 500, 'server_error'],
])('%s has its status and code, and is never cached', (_name, thrown, status, error) => {
  const answer = toOAuthError(thrown)

  expect(answer).toMatchObject({
    status,
    body: { error },
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  })
  expect(JSON.stringify(answer)).not.toContain('secret')
})

test('an unknown grant is unsupported_grant_type; a missing or repeated one is invalid_request', () => {
  const message = "'grant_type' must be equal to one of the allowed values: authorization_code, refresh_token"
  const refused = new RefusedRequest([{ path: '/oauth/v2/token', message }])

  expect(toOAuthError(refused, { grant_type: 'password' }).body.error).toBe('unsupported_grant_type')
  for (const form of [{}, { grant_type: '' }, { grant_type: ['refresh_token', 'refresh_token'] }]) {
    expect(toOAuthError(refused, form).body.error).toBe('invalid_request')
  }
})

test('the error names a missing field', () => {
  const errors = [{ path: '/body/device_id', message: "must have required property 'device_id'" }]

  expect(toOAuthError(new RefusedRequest(errors)).body.error_description).toBe("'device_id' is missing or wrong")
})

test('the error names a wrong field by its path in the form, and none for a path elsewhere', () => {
  const describe = (path: string) =>
    toOAuthError(new RefusedRequest([{ path, message: 'must be string' }])).body.error_description

  expect(describe('/body/scope')).toBe("'scope' is missing or wrong")
  expect(describe('/oauth/v2/token')).toBe('The form could not be read')
})

test('a description contains no character that RFC 6749 forbids', () => {
  const { body } = toOAuthError(new OAuthError('invalid_request', 'a "quoted"\n\\ü'))

  expect(body.error_description).toBe("a 'quoted'???")
})
