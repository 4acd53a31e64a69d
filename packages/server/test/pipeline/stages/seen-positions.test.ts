import { expect, test } from 'vitest'
import { createSeenPositions } from '../../../src/pipeline/stages/seen-positions.ts'
import { keyOf } from '../../../src/reports/position-key.ts'

test('active devices share the limit, and none is removed because of another', () => {
  const seen = createSeenPositions({ perDevice: 1_000, inAll: 5_000 })
  const devices = Array.from({ length: 50 }, (_, n) => `d${n}`)
  for (const device of devices) seen.addDevice(device)
  for (let n = 0; n < 1_000; n++) for (const device of devices) seen.findDevice(device)?.remember(keyOf(device, n), n)
  expect(devices.filter((device) => seen.findDevice(device)?.remember(keyOf(device, 999), 1_000) !== 999)).toEqual([])
})

test('a forgotten position can be remembered again, and other positions stay known', () => {
  const device = createSeenPositions().addDevice('d')
  const keys = Array.from({ length: 1_000 }, (_, n) => keyOf('p', n))
  for (const [seq, key] of keys.entries()) device.remember(key, seq)
  for (const [seq, key] of keys.entries()) if (seq % 2 === 0) device.forget(key, seq)
  const found = keys.map((key) => device.remember(key, 5_000))
  expect(found).toEqual(keys.map((_, seq) => (seq % 2 === 0 ? undefined : seq)))
  expect(keys.map((key) => device.remember(key, 6_000))).toEqual(keys.map((_, seq) => (seq % 2 === 0 ? 5_000 : seq)))
})

test('an id and a time always have the same key, and a million similar ids have a million keys', () => {
  expect(keyOf('p', 1_767_787_230_250)).toBe(keyOf('p', 1_767_787_230_250))
  const keys = new Set<number>()
  for (let n = 0; n < 500_000; n++) keys.add(keyOf(`p${n}`, 1_767_787_230_250)).add(keyOf('p', n))
  expect(keys.size).toBe(1_000_000)
})
