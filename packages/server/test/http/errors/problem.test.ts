import { expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { toProblem } from '../../../src/http/errors/problem.ts'
import { RefusedRequest } from '../../../src/http/operation/request-validator.ts'

test('a failure of the store is a 503 with Retry-After', () => {
  expect(toProblem(new ApiError('unavailable', 'The store did not take this'))).toEqual({
    status: 503,
    headers: { 'Retry-After': '1' },
    problem: {
      type: 'urn:problem:unavailable',
      title: 'Try again',
      status: 503,
      detail: 'The store did not take this',
      code: 'unavailable',
    },
  })
})

test('the cause of an error is not part of the answer', () => {
  const error = new ApiError('unavailable', 'public', { cause: new Error('/secret/path') })
  expect(JSON.stringify(toProblem(error))).not.toContain('secret')
})

test.each([new Error('SQLITE_CORRUPT'), 'text', undefined, Object.assign(new Error('SECRET'), { status: 418 })])(
  'an unexpected error (%s) is a 500 without detail',
  (thrown) => {
    expect(toProblem(thrown)).toMatchObject({ status: 500, problem: { code: 'internal_error' } })
    expect(JSON.stringify(toProblem(thrown))).not.toMatch(/SQLITE|SECRET|text/)
  },
)

test('errors of the branches of a oneOf are merged into one', () => {
  const errors = [
    { path: '/body/source', message: 'must be string', errorCode: 'type.openapi.validation' },
    { path: '/body/source', message: 'must be number', errorCode: 'type.openapi.validation' },
    { path: '/body/source', message: 'must match exactly one schema in oneOf', errorCode: 'oneOf.openapi.validation' },
  ]
  expect(toProblem(new RefusedRequest(errors)).problem.errors).toEqual([
    { pointer: '/source', code: 'type', detail: 'must be a string or a number' },
  ])
})
