import { expect, test } from 'vitest'
import { createSharedTask } from '../../src/tokens/shared-task.ts'
import { breathe } from '../support/manual-clock.ts'

test('concurrent callers share one run, and a later call starts a new one', async () => {
  let runs = 0
  const task = createSharedTask(async () => {
    runs += 1
    return runs
  })

  expect(await Promise.all([task(), task(), task()])).toEqual([1, 1, 1])
  expect(await task()).toBe(2)
})

test('all callers get a failure, and it is not cached', async () => {
  let runs = 0
  const task = createSharedTask(async () => {
    runs += 1
    if (runs === 1) throw new Error('first')
    return runs
  })

  const both = await Promise.allSettled([task(), task()])

  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await task()).toBe(2)
})

test('a caller that aborts does not stop the run of the others', async () => {
  let finish: (value: string) => void = () => undefined
  let stopped = false
  const task = createSharedTask((signal) => {
    signal.addEventListener('abort', () => (stopped = true))
    return new Promise<string>((resolve) => (finish = resolve))
  })
  const impatient = new AbortController()
  const first = task(impatient.signal)
  const second = task()

  impatient.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
  expect(stopped).toBe(false)
  finish('done')

  expect(await second).toBe('done')
})

test('a new run starts only after an aborted run has ended', async () => {
  const running = { now: 0, most: 0 }
  const endings: (() => void)[] = []
  const task = createSharedTask(async (signal) => {
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await new Promise<void>((resolve) => endings.push(resolve))
    running.now -= 1
    signal.throwIfAborted()
    return 'done'
  })
  const impatient = new AbortController()
  const first = task(impatient.signal).catch(() => 'gone')
  impatient.abort()
  await breathe()
  const second = task()
  await breathe()
  expect(endings).toHaveLength(1)

  endings[0]?.()
  await breathe()
  endings[1]?.()

  expect(await Promise.all([first, second])).toEqual(['gone', 'done'])
  expect(running.most).toBe(1)
})

test('a caller whose signal has already aborted starts no run', async () => {
  let runs = 0
  const task = createSharedTask(async () => {
    runs += 1
  })
  await expect(task(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  expect(runs).toBe(0)
})
