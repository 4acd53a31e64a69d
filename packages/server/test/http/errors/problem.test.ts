import { expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { toProblem } from '../../../src/http/errors/problem.ts'
import { type Finding, RefusedRequest } from '../../../src/http/validation/check-request.ts'

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
  const at = { part: 'body', pointer: '/source', message: '' } as const
  const findings: Finding[] = [
    { ...at, keyword: 'type', expected: 'string' },
    { ...at, keyword: 'type', expected: 'number' },
    { ...at, keyword: 'oneOf', expected: '' },
  ]
  expect(toProblem(new RefusedRequest(findings)).problem.errors).toEqual([
    { pointer: '/source', code: 'type', detail: 'must be a string or a number' },
  ])
})

test('a member of the body that is called "query" is not the query', () => {
  const finding: Finding = { part: 'body', pointer: '/query', keyword: 'type', expected: 'object', message: '' }
  expect(toProblem(new RefusedRequest([finding])).problem).toMatchObject({ code: 'invalid_body' })
})
