import { expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createLiveReads } from '../../src/portal/live-reads.ts'

test('what was read is shared for a second, by its name', async () => {
  const clock = createManualClock()
  const { share } = createLiveReads({ clock })
  let reads = 0
  const read = async () => ++reads
  expect([await share('a', read), await share('a', read), await share('b', read)]).toEqual([1, 1, 2])
  await clock.advance(999)
  expect(await share('a', read)).toBe(1)
  await clock.advance(1)
  expect(await share('a', read)).toBe(3)
})

test('what failed is read again', async () => {
  const { share } = createLiveReads({ clock: createManualClock() })
  await expect(share('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await share('a', async () => 'back')).toBe('back')
})

test('the pages of an account are made one after another and take a fifth of the time; another account does not wait', async () => {
  const clock = createManualClock()
  const { inTurn } = createLiveReads({ clock })
  const begunAtMs: number[] = []
  const startedAtMs = clock.now()
  const slow = async () => {
    begunAtMs.push(clock.now() - startedAtMs)
    await clock.sleep(100)
  }
  const made = Promise.all([inTurn('acme', slow), inTurn('acme', slow), inTurn('acme', slow)])
  expect(await inTurn('other', async () => 'made')).toBe('made')
  await clock.advance(1_500)
  await made
  expect(begunAtMs).toEqual([0, 500, 1_000])
})

test('the pages of many accounts together take half of the time', async () => {
  const clock = createManualClock()
  const { inTurn } = createLiveReads({ clock })
  const startedAtMs = clock.now()
  const begunAtMs: number[] = []
  const made = Array.from({ length: 6 }, (_, n) =>
    [1, 2].map(() =>
      inTurn(`account${n}`, async () => {
        begunAtMs.push(clock.now() - startedAtMs)
        await clock.sleep(100)
      }),
    ),
  ).flat()
  await clock.advance(1_300)
  await Promise.all(made)
  // 100 ms of each account in 1,200.
  expect(begunAtMs).toEqual([0, 0, 0, 0, 0, 0, 1_200, 1_200, 1_200, 1_200, 1_200, 1_200])
})
