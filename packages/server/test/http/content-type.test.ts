import { expect, test } from 'vitest'
import { canonicalContentType, checkContentEncoding } from '../../src/http/content-type.ts'

test('any spelling of the expected type becomes the one that the validator has seen before', () => {
  for (let n = 0; n < 2_000; n++) {
    const spelling = `${n % 2 ? 'Application/Json' : 'application/JSON'};${' '.repeat(n % 40)}charset=${n % 3 ? 'utf-8' : '"UTF-8"'}`
    expect(canonicalContentType(spelling, 'application/json')).toBe('application/json')
  }
})

test('2,000 types with a parameter of their own are refused before the validator sees them', () => {
  for (let n = 0; n < 2_000; n++) {
    const refused = () => canonicalContentType(`application/json; x=${n}`, 'application/json')
    expect(refused).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
  }
})

test('a hostile type is refused without being read', () => {
  const startedAt = performance.now()
  for (let n = 0; n < 1_000; n++) {
    expect(() => canonicalContentType(`a/b${';'.repeat(15_000)}`, 'application/json')).toThrow()
    expect(() => canonicalContentType(`application/json${' '.repeat(84)}`, 'application/json')).not.toThrow()
  }
  expect(performance.now() - startedAt).toBeLessThan(500)
})

test.each(['gzip', 'GZIP', 'deflate', 'br', 'identity', ' gzip '])('the encoding "%s" is taken', (encoding) => {
  expect(() => checkContentEncoding(encoding)).not.toThrow()
})

test.each(['zstd', 'compress', 'x-gzip', 'gzip, br', '', '*'])('the encoding "%s" is refused', (encoding) => {
  expect(() => checkContentEncoding(encoding)).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
})
