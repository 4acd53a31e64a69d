import { describe, expect, test } from 'vitest'
import { type AddressPolicy, checkRelayAddress, isPublicAddress } from '../../../src/relays/sender/address.ts'

const strict: AddressPolicy = { allowPrivate: false, ports: [] }
const kindOf = (text: string, policy = strict) => checkRelayAddress(text, policy).kind

describe('a relay address', () => {
  const schemes = [
    'http://a.example/',
    'ftp://a.example/',
    'file:///etc/passwd',
    'gopher://a.example/',
    'data:,x',
    'javascript:1',
  ]
  const corrected = [
    'https:a.example.com',
    'https:/a.example.com',
    'https:\\\\a.example.com',
    'https:///a.example.com',
    'https://a.example.com\\@127.0.0.1/',
    'https://a.exam\tple.com/',
    'https://a.example.com/\nx',
    ' https://a.example.com/',
    'https://a.example.com/ ',
    'https://a.example.com/\u0000',
    'https://',
    'https://?x',
    '',
  ]
  const users = ['https://user@a.example.com/', 'https://user:pass@a.example.com/', 'https://:pass@a.example.com/']
  const fragments = ['https://a.example.com/#x', 'https://127.0.0.1#@a.example.com', 'https://a.example.com/#']
  const literals = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '2852039166',
    '8.8.8.8',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fe80::1%25eth0]',
    '[fd00:ec2::254]',
    '[2606:4700::1111]',
  ].map((host) => `https://${host}/`)
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ＬＯＣＡＬＨＯＳＴ',
    'a.localhost',
    'metadata',
    'relay',
    'metadata.google.internal',
    'printer.local',
    'printer.local.',
    'x.internal',
    '1.0.0.127.in-addr.arpa',
    'x.onion',
    'nas.lan',
    'wiki.corp',
    'printer.home',
    'printer.home.arpa',
    'api.default.svc',
    'api.default.svc.cluster.local',
    'x.intranet',
    'x.localdomain',
    'x.private',
    'X.LAN.',
  ].map((host) => `https://${host}/`)
  const ports = ['0', '22', '25', '80', '444', '6379', '8080', '65536', '-1', 'x'].map(
    (port) => `https://a.example.com:${port}/`,
  )

  test.each([...schemes, ...corrected, ...users, ...fragments, ...literals, ...names, ...ports])(
    '%j is refused',
    (text) => {
      expect(kindOf(text)).toBe('refused')
    },
  )

  test('is refused with a reason that is a sentence that follows "url"', () => {
    expect(checkRelayAddress('https://a.example.com:22/', strict)).toEqual({
      kind: 'refused',
      reason: 'must use port 443 or 8443',
    })
  })

  test('may have 2,048 characters, and is refused with 2,049', () => {
    const long = (length: number) => 'https://a.example.com/'.padEnd(length, 'x')
    expect([kindOf(long(2_048)), kindOf(long(2_049))]).toEqual(['allowed', 'refused'])
  })
})

test.each([
  'https://relay.example.com/',
  'https://relay.example.com',
  'HTTPS://Relay.Example.COM/path?x=1&y=%2e',
  'https://relay.example.com:443/',
  'https://relay.example.com:8443/',
  'https://relay.example.com./',
  'https://xn--bcher-kva.example/',
  'https://1.2.3.4.example.com/',
  'https://internal.example.com/',
  'https://lan.example.com/',
  'https://mylan.com/',
])('%j is allowed', (text) => {
  expect(kindOf(text)).toBe('allowed')
})

test('a label of 64 characters and a name of 254 are refused', () => {
  const name = (length: number) => `https://${'a'.repeat(length)}.example.com/`
  const long = Array.from({ length: 60 }, () => 'abc').join('.')
  expect([kindOf(name(63)), kindOf(name(64))]).toEqual(['allowed', 'refused'])
  expect([kindOf(`https://${long}.example/`), kindOf(`https://${long}.${'b'.repeat(60)}.example/`)]).toEqual([
    'allowed',
    'refused',
  ])
})

test('the address of the service itself is refused', () => {
  const policy = { ...strict, ownHosts: ['surveillance.example.com'] }
  expect(kindOf('https://Surveillance.Example.com./x', policy)).toBe('refused')
  expect(kindOf('https://relay.example.com/', policy)).toBe('allowed')
})

test('more ports can be allowed', () => {
  const policy = { allowPrivate: false, ports: [9443] }
  expect(kindOf('https://a.example.com:9443/', policy)).toBe('allowed')
  expect(kindOf('https://a.example.com:8443/', policy)).toBe('allowed')
  expect(kindOf('https://a.example.com:9444/', policy)).toBe('refused')
})

test('with private relays all hosts and ports are allowed, and the other rules still apply', () => {
  const policy = { allowPrivate: true, ports: [] }
  for (const text of ['https://localhost:4443/', 'https://127.0.0.1:4443/', 'https://[::1]/', 'https://relay/']) {
    expect([text, kindOf(text, policy)]).toEqual([text, 'allowed'])
  }
  for (const text of ['http://localhost/', 'https://u@localhost/', 'https://localhost/#x', 'https:\\\\localhost']) {
    expect([text, kindOf(text, policy)]).toEqual([text, 'refused'])
  }
})

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  '200::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'example.com',
])('the address "%s" is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '3ffe::1',
])('the address "%s" is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('an IPv4-mapped IPv6 address is checked as IPv4', () => {
  expect([isPublicAddress('::ffff:8.8.8.8'), isPublicAddress('::ffff:10.0.0.1')]).toEqual([true, false])
})
