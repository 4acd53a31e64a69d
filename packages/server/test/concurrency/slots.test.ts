import { expect, test } from 'vitest'
import { createSlots } from '../../src/concurrency/slots.ts'

test('a key has as many slots as its limit, and a released slot is free again', () => {
  const slots = createSlots()
  const first = slots.acquire({ a: 2 })
  slots.acquire({ a: 2 })
  expect(slots.acquire({ a: 2 })).toEqual({ kind: 'full', key: 'a' })
  expect(slots.acquire({ b: 2 }).kind).toBe('slots')

  if (first.kind === 'slots') first.release()
  expect(slots.acquire({ a: 2 }).kind).toBe('slots')
})

test('when one of several keys is full, no slot of the others is taken', () => {
  const slots = createSlots()
  slots.acquire({ b: 1 })
  expect(slots.acquire({ a: 1, b: 1 })).toEqual({ kind: 'full', key: 'b' })

  expect(slots.acquire({ a: 1 }).kind).toBe('slots')
})

test('several slots are taken and released together', () => {
  const slots = createSlots()
  const first = slots.acquire({ a: 10, b: 20 }, 6)
  expect(slots.acquire({ a: 10 }, 5)).toEqual({ kind: 'full', key: 'a' })
  expect(slots.acquire({ a: 10 }, 4).kind).toBe('slots')

  if (first.kind === 'slots') first.release()
  expect(slots.acquire({ a: 10 }, 6).kind).toBe('slots')
  expect(slots.acquire({ b: 20 }, 20).kind).toBe('slots')
})
