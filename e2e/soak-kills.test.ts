/** The short version of `pnpm soak --kills`: 20 kills at random moments; the seed is printed, and may be given as SOAK_SEED. */
import { expect, test } from 'vitest'
import { soakKills } from './soak/kills.ts'
import { aSeed } from './soak/random.ts'

const seed = Number(process.env.SOAK_SEED ?? aSeed())

test('of what was answered 202, 20 kills lose nothing, reorder nothing, and repeat only what can be recognised', async () => {
  process.stderr.write(`soak of kills, seed ${seed}\n`)
  const result = await soakKills({ kills: 20, seed })

  expect(result.violations).toEqual([])
  expect(result.accepted).toBeGreaterThan(100)
  expect(result.delivered).toBeGreaterThanOrEqual(result.accepted)
}, 120_000)
