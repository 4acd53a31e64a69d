import { expect, test } from 'vitest'
import { checkContentEncoding, checkContentType } from '../../../src/http/body/content-type.ts'

test('the expected type is accepted in any case, with or without its charset', () => {
  for (let n = 0; n < 2_000; n++) {
    const spelling = `${n % 2 ? 'Application/Json' : 'application/JSON'};${' '.repeat(n % 40)}charset=${n % 3 ? 'utf-8' : '"UTF-8"'}`
    expect(() => checkContentType(spelling, 'application/json')).not.toThrow()
  }
})

test('a type with another parameter is refused', () => {
  const refused = () => checkContentType('application/json; x=1', 'application/json')
  expect(refused).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
})

// With work that grows with the square of the length, this takes longer than a test may.
test('a type of 15,000 characters is refused as quickly as a short one', () => {
  for (let n = 0; n < 1_000; n++) {
    expect(() => checkContentType(`a/b${';'.repeat(15_000)}`, 'application/json')).toThrow()
    expect(() => checkContentType(`application/json${' '.repeat(84)}`, 'application/json')).not.toThrow()
  }
})

test.each(['gzip', 'GZIP', 'deflate', 'br', 'identity', ' gzip '])('the encoding "%s" is accepted', (encoding) => {
  expect(() => checkContentEncoding(encoding)).not.toThrow()
})

test.each(['zstd', 'compress', 'x-gzip', 'gzip, br', '', '*'])('the encoding "%s" is refused', (encoding) => {
  expect(() => checkContentEncoding(encoding)).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }))
})
