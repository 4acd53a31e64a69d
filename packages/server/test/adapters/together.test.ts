import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTogether } from '../../src/adapters/sqlite/together.ts'

function aCall(turns?: number) {
  const calls: string[][] = []
  const ask = createTogether(async (asks: string[]) => {
    calls.push(asks)
    if (asks.includes('bad')) throw new Error('The disk is full')
  }, turns)
  return { ask, calls }
}

test('what is asked for in one step is one call, and what comes later another', async () => {
  const { ask, calls } = aCall()
  await Promise.all([ask('a'), ask('b')])
  await ask('c')
  expect(calls).toEqual([['a', 'b'], ['c']])
})

test('with turns of the event loop to wait, what comes within them joins', async () => {
  const { ask, calls } = aCall(4)
  const first = ask('a')
  await setImmediate()
  await Promise.all([first, ask('b')])
  await ask('c')
  expect(calls).toEqual([['a', 'b'], ['c']])
})

test('what fails fails for all that shared it, and for nobody after them', async () => {
  const { ask } = aCall(2)
  const answers = await Promise.allSettled([ask('a'), ask('bad')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(ask('c')).resolves.toBeUndefined()
})
