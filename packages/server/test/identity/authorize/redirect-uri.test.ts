import { expect, test } from 'vitest'
import {
  isAppOriginText,
  isRedirectUri,
  isRegistered,
  toRedirect,
} from '../../../src/identity/authorize/redirect-uri.ts'

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
  expect(isRedirectUri('http://[::1]/cb', policy)).toBe(true)
  expect(isRedirectUri('http://[::1]:8765', policy)).toBe(true)
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

test.each([
  ['http://127.0.0.1', 'http://127.0.0.1:36529'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb'],
  ['http://127.0.0.1/cb?app=1', 'http://127.0.0.1:65535/cb?app=1'],
  ['http://[::1]/cb', 'http://[::1]:36529/cb'],
  ['http://[::1]', 'http://[::1]:36529'],
  ['https://app.example/cb', 'https://app.example/cb'],
])('the registered address %s matches %s', (registered, sent) => {
  expect(isRegistered(sent, [registered])).toBe(true)
})

test.each([
  ['http://127.0.0.1/cb', 'http://127.0.0.1:36529/'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:36529/cb/'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:36529/cb?x=1'],
  ['http://127.0.0.1/cb', 'http://[::1]:36529/cb'],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1:8766/cb'],
  ['http://127.0.0.1:8765/cb', 'http://127.0.0.1/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:080/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.example/cb'],
  ['http://127.0.0.1', 'http://127.0.0.1:1.evil.example'],
  ['http://127.0.0.1/cb', 'https://127.0.0.1:36529/cb'],
  ['http://localhost/cb', 'http://localhost:36529/cb'],
  ['https://app.example/cb', 'https://app.example:8443/cb'],
])('the registered address %s does not match %s', (registered, sent) => {
  expect(isRegistered(sent, [registered])).toBe(false)
})

test('an origin of an app has no path, and is https or an allowed loopback address', () => {
  expect(isAppOriginText('https://app.example', {})).toBe(true)
  expect(isAppOriginText('http://localhost:5173', { allowLoopback: true })).toBe(true)
  for (const text of [
    'https://app.example/',
    'https://APP.example',
    'https://app.example:443',
    'app.example',
    'null',
    '*',
  ])
    expect(isAppOriginText(text, { allowLoopback: true })).toBe(false)
  expect(isAppOriginText('http://localhost:5173', {})).toBe(false)
})
