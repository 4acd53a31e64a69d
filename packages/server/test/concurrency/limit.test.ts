import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLimit } from '../../src/concurrency/limit.ts'

/** Tasks that run until they are ended by name. */
function someTasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  async function end(name: string) {
    ends.get(name)?.()
    await setImmediate()
  }
  return { started, task, end }
}

test('tasks of one key run one at a time, in the order of their arrival', async () => {
  const limit = createLimit()
  const { started, task, end } = someTasks()
  const results = ['a', 'b', 'c'].map((name) => limit('key', task(name)))
  await setImmediate()
  expect(started).toEqual(['a'])

  await end('a')
  expect(started).toEqual(['a', 'b'])
  await end('b')
  await end('c')
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
})

test('tasks of different keys do not wait for each other', async () => {
  const limit = createLimit()
  const { started, task } = someTasks()
  void limit('one', task('a'))
  void limit('other', task('b'))
  await setImmediate()

  expect(started).toEqual(['a', 'b'])
})

test('the next task runs after one that failed', async () => {
  const limit = createLimit()
  const failed = limit('key', async () => {
    throw new Error('no')
  })
  const next = limit('key', async () => 'done')

  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('tasks beyond the limits are refused, and accepted again when one has ended', async () => {
  const limit = createLimit({ maxRunning: 2, maxWaiting: 1 })
  const { started, task, end } = someTasks()
  for (const name of ['a', 'b', 'c']) void limit('key', task(name))

  await expect(limit('key', task('d'))).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(started).toEqual(['a', 'b'])
  await end('a')
  void limit('key', task('e'))
  await end('b')
  expect(started).toEqual(['a', 'b', 'c', 'e'])
})

test('a task of a lower rank starts first; equal ones start in the order of their arrival', async () => {
  const limit = createLimit()
  const { started, task, end } = someTasks()
  const tasks: [string, number][] = [
    ['running', 9],
    ['late', 2],
    ['first', 1],
    ['second', 1],
    ['ahead', 0],
  ]
  for (const [name, rank] of tasks) void limit('key', task(name), rank)
  await setImmediate()
  for (const name of ['running', 'ahead', 'first', 'second']) await end(name)

  expect(started).toEqual(['running', 'ahead', 'first', 'second', 'late'])
})

test('when too many tasks wait, the one of the highest rank is refused, not the newest', async () => {
  const limit = createLimit({ maxWaiting: 2 })
  const { started, task, end } = someTasks()
  void limit('key', task('running'))
  const waiting = limit('key', task('waiting'), 1)
  const last = limit('key', task('last'), 2)

  void limit('key', task('ahead'), 0)

  await expect(last).rejects.toMatchObject({ code: 'too_many_requests' })
  for (const name of ['running', 'ahead', 'waiting']) await end(name)
  expect(await waiting).toBe('waiting')
  expect(started).toEqual(['running', 'ahead', 'waiting'])
})
