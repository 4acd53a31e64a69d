import { expect, test } from 'vitest'
import { maskToken, unmaskToken } from '../../../src/portal/visit/masked-token.ts'

test('a token is masked differently each time, and is found again', () => {
  const [first, second] = [maskToken('the token'), maskToken('the token')]
  expect(first).not.toBe(second)
  expect([first, second].map(unmaskToken)).toEqual(['the token', 'the token'])
})

test.each(['', 'x', '====', 'AAA'])('%j is no masked token of ours', (text) => {
  expect(unmaskToken(text)).not.toBe('the token')
})
