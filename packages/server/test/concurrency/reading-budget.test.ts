import { expect, test } from 'vitest'
import { createReadingBudget } from '../../src/concurrency/reading-budget.ts'

const limits = { perAccount: 1, inAll: 2, waitingPerAccount: 2, waitingInAll: 3 }

function aBudget() {
  const { begin } = createReadingBudget(limits)
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    async begin(account: string): Promise<void> {
      ends.push(await begin(account))
      started.push(account)
    },
    async endFirst(): Promise<void> {
      await turn()
      ends.shift()?.()
      await turn()
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a read waits while its account or all accounts use their share, and starts when a read ends', async () => {
  const { started, begin, endFirst } = aBudget()
  for (const account of ['a', 'a', 'b', 'c']) void begin(account)
  await endFirst()
  expect(started).toEqual(['a', 'b', 'a'])

  await endFirst()
  expect(started).toEqual(['a', 'b', 'a', 'c'])
})

test('reads of an account that uses its whole share delay no other account', async () => {
  const { started, begin, endFirst } = aBudget()
  for (const account of ['a', 'b', 'a', 'a', 'c']) void begin(account)
  await endFirst()
  await endFirst()

  expect(started).toEqual(['a', 'b', 'a', 'c'])
})

test('beyond the waiting reads of an account, and of all accounts, a read is refused as unavailable', async () => {
  const { begin } = aBudget()
  for (const account of ['a', 'a', 'a', 'b', 'b']) void begin(account)

  for (const account of ['a', 'c']) {
    await expect(begin(account)).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '2' } })
  }
})
