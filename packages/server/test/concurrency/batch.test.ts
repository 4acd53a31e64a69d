import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type BatchOptions, createBatch, waitIterations } from '../../src/concurrency/batch.ts'

function aBatch(options: Partial<BatchOptions<string, string>> = {}) {
  const runs: string[][] = []
  const call = createBatch<string, string>({
    async run(calls) {
      runs.push(calls)
      if (calls.includes('bad')) throw new Error('The disk is full')
      return calls.map((each) => `${each} done`)
    },
    ...options,
  })
  return { call, runs }
}

test('calls of one step of the event loop share a run, and each gets its own result', async () => {
  const { call, runs } = aBatch()
  expect(await Promise.all([call('a'), call('b')])).toEqual(['a done', 'b done'])
  expect(await call('c')).toBe('c done')
  expect(runs).toEqual([['a', 'b'], ['c']])
})

test('calls that arrive during the wait join the run', async () => {
  const { call, runs } = aBatch({ wait: waitIterations(4) })
  const first = call('a')
  await setImmediate()
  await Promise.all([first, call('b')])
  await call('c')
  expect(runs).toEqual([['a', 'b'], ['c']])
})

test('when a run fails, all its calls fail, and later calls do not', async () => {
  const { call } = aBatch({ wait: waitIterations(2) })
  const answers = await Promise.allSettled([call('a'), call('bad')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(call('c')).resolves.toBe('c done')
})

test('a run with fewer results than calls fails', async () => {
  const { call } = aBatch({ run: async () => [] })
  await expect(call('a')).rejects.toThrow('got 0 results')
})

test('a run takes as many calls, and bytes, as the limits allow, and a larger call runs alone', async () => {
  const { call, runs } = aBatch({ maxCalls: 2, maxBytes: 4, sizeOf: ({ length }) => length })
  await Promise.all(['a', 'b', 'c', 'large', 'd', 'eee', 'ff'].map(call))
  expect(runs).toEqual([['a', 'b'], ['c'], ['large'], ['d', 'eee'], ['ff']])
})

describe('one run at a time', () => {
  /** Runs last until `pass` ends them, which also lets the time pass. */
  function aSerialBatch() {
    let nowMs = 0
    const runs: { calls: string; waitedMs: number }[] = []
    let end = () => {}
    const { call } = aBatch({
      run(calls, { waitedMs }) {
        runs.push({ calls: calls.join(), waitedMs })
        return new Promise<string[]>((resolve) => {
          end = () => resolve(calls.map((each) => `${each} done`))
        })
      },
      wait: waitIterations(1),
      isSerial: true,
      maxWaitMs: 1_000,
      nowMs: () => nowMs,
    })
    const pass = async (ms: number) => {
      await waitIterations(2)()
      nowMs += ms
      end()
      await waitIterations(2)()
    }
    return { call, runs, pass }
  }

  test('calls that arrive during a run share the next one', async () => {
    const { call, runs, pass } = aSerialBatch()
    const first = call('a')
    await pass(0)
    const others = [call('b'), call('c')]
    await pass(0)
    const late = call('d')
    await pass(0)
    await pass(0)

    expect(await Promise.all([first, ...others, late])).toEqual(['a done', 'b done', 'c done', 'd done'])
    expect(runs.map(({ calls }) => calls)).toEqual(['a', 'b,c', 'd'])
  })

  test('a run knows how long its oldest call has waited', async () => {
    const { call, runs, pass } = aSerialBatch()
    const first = call('a')
    await waitIterations(2)()
    const second = call('b')
    await pass(1_000)
    await pass(0)

    await Promise.all([first, second])
    expect(runs.map(({ waitedMs }) => waitedMs)).toEqual([0, 1_000])
  })

  test('a call that has waited too long is refused without a run, and a later one is not', async () => {
    const { call, runs, pass } = aSerialBatch()
    const first = call('a')
    await waitIterations(2)()
    const refused = [call('b'), call('c')].map((each) => each.catch((error) => error))
    await pass(1_001)
    const next = call('d')
    await pass(500)
    await pass(0)

    const slow = expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('slow') })
    expect(await Promise.all(refused)).toEqual([slow, slow])
    expect(await Promise.all([first, next])).toEqual(['a done', 'd done'])
    expect(runs.map(({ calls }) => calls)).toEqual(['a', 'd'])
  })
})
