import { expect, test } from 'vitest'
import { sharesOf } from '../../src/http/shares.ts'

test('an account and an IPv4 address may each take a quarter', () => {
  expect(sharesOf(400, { address: '192.0.2.7', account: 'account acme' })).toEqual({
    all: 400,
    'address 192.0.2.7': 100,
    'account acme': 100,
  })
})

test('a /64 of IPv6 may take a quarter, and a /48 half', () => {
  expect(sharesOf(400, { address: '2001:db8:1:2:3:4:5:6' })).toEqual({
    all: 400,
    'address 2001:db8:1:2::/64': 100,
    'address 2001:db8:1::/48': 200,
  })
})

test('an IPv4 address that is written as an IPv6 address is the same address', () => {
  expect(sharesOf(4, { address: '::ffff:192.0.2.7' })).toEqual(sharesOf(4, { address: '192.0.2.7' }))
})

test('a share is at least one', () => {
  expect(sharesOf(2, { address: '192.0.2.7' })).toEqual({ all: 2, 'address 192.0.2.7': 1 })
})
