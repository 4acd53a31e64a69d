import { expect, test } from 'vitest'
import { createSeenPositions } from '../../../src/pipeline/stages/seen-positions.ts'

test('active devices share the limit, and none is removed because of another', () => {
  const seen = createSeenPositions({ perDevice: 1_000, inAll: 5_000 })
  const devices = Array.from({ length: 50 }, (_, n) => `d${n}`)
  for (const device of devices) seen.addDevice(device)
  for (let n = 0; n < 1_000; n++) for (const device of devices) seen.findDevice(device)?.remember(`${n}`, n)
  expect(devices.filter((device) => seen.findDevice(device)?.remember('999', 1_000) !== 999)).toEqual([])
})

test('a forgotten position can be remembered again, and other positions stay known', () => {
  const device = createSeenPositions().addDevice('d')
  const keys = Array.from({ length: 1_000 }, (_, n) => `p${n}`)
  for (const [seq, key] of keys.entries()) device.remember(key, seq)
  for (const [seq, key] of keys.entries()) if (seq % 2 === 0) device.forget(key, seq)
  const found = keys.map((key) => device.remember(key, 5_000))
  expect(found).toEqual(keys.map((_, seq) => (seq % 2 === 0 ? undefined : seq)))
  expect(keys.map((key) => device.remember(key, 6_000))).toEqual(keys.map((_, seq) => (seq % 2 === 0 ? 5_000 : seq)))
})
