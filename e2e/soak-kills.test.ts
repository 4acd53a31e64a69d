/** The short version of `pnpm soak --kills`: 8 kills at random times. It prints the seed; SOAK_SEED sets it. */
import { expect, test } from 'vitest'
import { soakKills } from './soak/kills.ts'
import { aSeed } from './soak/random.ts'

const seed = Number(process.env.SOAK_SEED ?? aSeed())

test('8 kills lose and reorder no report that was answered 202, and every repetition has the same id', async () => {
  process.stderr.write(`soak of kills, seed ${seed}\n`)
  const result = await soakKills({ kills: 8, sensors: 6, seed })

  expect(result.violations).toEqual([])
  expect(result.accepted).toBeGreaterThan(20)
  expect(result.delivered).toBeGreaterThanOrEqual(result.accepted)
}, 300_000)
