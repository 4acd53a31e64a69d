import { expect, test } from 'vitest'
import { createWaitingDevices, type Limits } from '../../../src/relays/courier/waiting-devices.ts'

/** `limits.slots` has the slots of each account; each device that is taken gets one more. */
function someDevices(limits: Partial<Limits> = {}) {
  const waiting = createWaitingDevices()
  const slots: Record<string, number> = {}
  const all: Limits = {
    slotsOf: (accountId) => slots[accountId] ?? 0,
    mayAccount: () => true,
    mayHost: () => true,
    ...limits,
  }
  return {
    waiting,
    slots,
    add: (device: string, accountId: string, host = 'one.example', isFailing = false) =>
      waiting.add(device, { accountId, host, isFailing }),
    takeAll() {
      const taken: string[] = []
      for (let next = waiting.take(all); next; next = waiting.take(all)) {
        taken.push(next.device)
        slots[next.accountId] = all.slotsOf(next.accountId) + 1
      }
      return taken
    },
  }
}

test('the account with the fewest slots is served first, and accounts with as many in turn', () => {
  const { add, slots, takeAll } = someDevices()
  slots.a = 2
  for (const n of [1, 2, 3]) {
    add(`a${n}`, 'a')
    add(`b${n}`, 'b')
    add(`c${n}`, 'c')
  }

  expect(takeAll()).toEqual(['b1', 'c1', 'b2', 'c2', 'a1', 'b3', 'c3', 'a2', 'a3'])
})

test('the hosts of an account are served in turn, and the devices of a host in the order in which they asked', () => {
  const { add, takeAll } = someDevices()
  for (const n of [1, 2, 3]) add(`x${n}`, 'a', 'x.example')
  for (const n of [1, 2]) add(`y${n}`, 'a', 'y.example')
  add('x1', 'a', 'x.example')

  expect(takeAll()).toEqual(['x1', 'y1', 'x2', 'y2', 'x3'])
})

test('an account or a host that may have no more slots delays no other', () => {
  const mayHost = (_: string, host: string) => host !== 'full.example'
  const { add, takeAll, waiting } = someDevices({ mayAccount: (accountId) => accountId !== 'full', mayHost })
  add('1', 'full')
  add('2', 'a', 'full.example')
  add('3', 'a')
  add('4', 'b')

  expect(takeAll()).toEqual(['3', '4'])
  expect([waiting.countOf('full'), waiting.countOf('a'), waiting.countOf('b')]).toEqual([1, 1, 0])
})

test('devices whose relays fail are served first while their account may have slots for them', () => {
  const { add, takeAll, slots } = someDevices({ mayAccount: (_, isFailing) => !isFailing || (slots.a ?? 0) < 1 })
  add('1', 'a')
  add('2', 'a', 'two.example', true)
  add('3', 'a', 'three.example', true)

  expect(takeAll()).toEqual(['2', '1'])
})
