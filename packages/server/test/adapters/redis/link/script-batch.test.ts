import { expect, test } from 'vitest'
import { createScriptBatch } from '../../../../src/adapters/redis/link/script-batch.ts'
import { waitIterations } from '../../../../src/concurrency/batch.ts'

test('a call that waited for its batch gets less time for its answer, but enough for a slow one', async () => {
  let nowMs = 0
  let end = () => {}
  const given: number[] = []
  const call = createScriptBatch<string>({
    answerMs: 2_000,
    run(_, answerMs) {
      given.push(answerMs)
      return new Promise<void>((resolve) => (end = resolve))
    },
    sizeOf: () => 1,
    nowMs: () => nowMs,
  })

  const first = call('a')
  await waitIterations(2)()
  const second = call('b')
  nowMs = 1_000
  end()
  await waitIterations(2)()
  end()

  await Promise.all([first, second])
  const [usualMs = 0, laterMs = 0] = given
  expect(laterMs).toBeLessThan(usualMs)
  expect(laterMs).toBeGreaterThan(usualMs / 2)
})
