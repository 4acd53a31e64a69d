import { expect, test } from 'vitest'
import { isRedirectUri, toRedirect } from '../../../src/identity/authorize/redirect-uri.ts'

test.each([
  'https://app.example/callback',
  'https://localhost:9443/callback',
  'https://app.example/cb?a=1&b=%20',
  'https://xn--e1awd7f.example/',
])('%s may be registered', (uri) => {
  expect(isRedirectUri(uri, {})).toBe(true)
})

test.each([
  'http://app.example/callback',
  'http://127.0.0.1/callback',
  'http://localhost:3000/callback',
  'https://app.example/#fragment',
  'https://user:password@app.example/',
  'https://app.example/a b',
  'https://app.example\\@evil.example/',
  'https:/app.example/',
  'https:app.example',
  'https://аpp.example/',
  'https://app.example/\n',
  '//app.example/',
  '/callback',
  'javascript:alert(1)',
  'app://callback',
  '',
  `https://app.example/${'x'.repeat(2048)}`,
])('%j may not be registered', (uri) => {
  expect(isRedirectUri(uri, {})).toBe(false)
})

test('loopback addresses, and no other http addresses, may be registered if they are allowed', () => {
  const policy = { allowLoopback: true }

  expect(isRedirectUri('http://127.0.0.1:3000/cb', policy)).toBe(true)
  expect(isRedirectUri('http://localhost/cb', policy)).toBe(true)
  for (const uri of [
    'http://127.0.0.2/',
    'http://localhost.evil.example/',
    'http://app.example/',
    'ftp://localhost/',
  ]) {
    expect(isRedirectUri(uri, policy)).toBe(false)
  }
})

test('the parameters of an answer follow the query of the registered URI', () => {
  const parameters = { code: 'a b', state: undefined, iss: 'https://auth.example' }
  const sent = 'code=a+b&iss=https%3A%2F%2Fauth.example'

  expect(toRedirect('https://a.example/cb', parameters)).toBe(`https://a.example/cb?${sent}`)
  expect(toRedirect('https://a.example/cb?x=%2F', parameters)).toBe(`https://a.example/cb?x=%2F&${sent}`)
  expect(toRedirect('https://a.example/cb?', parameters)).toBe(`https://a.example/cb?${sent}`)
})
