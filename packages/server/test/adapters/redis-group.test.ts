import { expect, test } from 'vitest'
import { createGroup } from '../../src/adapters/redis/group.ts'

/** Steps last until `answer` ends them; time passes when the test says so. */
function aGroup() {
  let nowMs = 0
  const steps: { calls: string[]; answerMs: number }[] = []
  let answer = () => {}
  const call = createGroup<string, string>({
    run(calls, answerMs) {
      steps.push({ calls, answerMs })
      return new Promise((resolve) => {
        answer = () => resolve(calls.map((each) => `${each} done`))
      })
    },
    sizeOf: (each) => each.length,
    nowMs: () => nowMs,
  })
  /** Until everything that can go on without an answer has gone on. */
  const settled = () => new Promise(setImmediate)
  return {
    call,
    steps,
    async pass(ms: number) {
      await settled()
      nowMs += ms
      answer()
      await settled()
    },
  }
}

const slow = expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('slow') })

test('what arrives while a step is under way shares the next one, and each gets its own result', async () => {
  const { call, steps, pass } = aGroup()
  const first = call('a')
  await pass(0)
  const others = [call('b'), call('c')]
  await pass(0)
  const late = call('d')
  await pass(0)
  await pass(0)

  expect(await Promise.all([first, ...others, late])).toEqual(['a done', 'b done', 'c done', 'd done'])
  expect(steps.map(({ calls }) => calls.join())).toEqual(['a', 'b,c', 'd'])
})

test('what has waited for its turn has less time for its answer, and still enough for a slow one', async () => {
  const { call, steps, pass } = aGroup()
  const first = call('a')
  await new Promise(setImmediate)
  const second = call('b')
  await pass(1_000)
  await pass(0)

  await Promise.all([first, second])
  expect(steps.map(({ answerMs }) => answerMs)).toEqual([2_000, 1_400])
})

test('what has waited for too long is refused without asking, and what came later is not', async () => {
  const { call, steps, pass } = aGroup()
  const first = call('a')
  await new Promise(setImmediate)
  const refused = [call('b'), call('c')].map((each) => each.catch((error) => error))
  await new Promise(setImmediate)
  await pass(1_001)
  const next = call('d')
  await pass(500)
  await pass(0)

  expect(await Promise.all(refused)).toEqual([slow, slow])
  expect(await Promise.all([first, next])).toEqual(['a done', 'd done'])
  expect(steps.map(({ calls }) => calls.join())).toEqual(['a', 'd'])
})
