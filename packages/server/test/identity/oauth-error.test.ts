import { expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { type Finding, RefusedRequest } from '../../src/http/validation/check-request.ts'
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

function refused(finding: Partial<Finding>): RefusedRequest {
  return new RefusedRequest([
    { part: 'body', pointer: '', keyword: 'type', expected: 'string', message: '', ...finding },
  ])
}

test('an unknown grant is unsupported_grant_type; a missing or repeated one is invalid_request', () => {
  const wrong = refused({ pointer: '/grant_type', keyword: 'discriminator' })

  expect(toOAuthError(wrong, { grant_type: 'password' }).body.error).toBe('unsupported_grant_type')
  for (const form of [{}, { grant_type: '' }, { grant_type: ['refresh_token', 'refresh_token'] }]) {
    expect(toOAuthError(wrong, form).body.error).toBe('invalid_request')
  }
})

test('the error names a missing or wrong field of the form, and none for another part of the request', () => {
  const describe = (finding: Partial<Finding>) => toOAuthError(refused(finding)).body.error_description

  expect(describe({ pointer: '/device_id', keyword: 'required' })).toBe("'device_id' is missing or wrong")
  expect(describe({ pointer: '/scope' })).toBe("'scope' is missing or wrong")
  expect(describe({ part: 'path' })).toBe('The form could not be read')
})

test('a description contains no character that RFC 6749 forbids', () => {
  const { body } = toOAuthError(new OAuthError('invalid_request', 'a "quoted"\n\\ü'))

  expect(body.error_description).toBe("a 'quoted'???")
})
