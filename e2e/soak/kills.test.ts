/** The short versions of `pnpm soak --kills`: 8 kills at random times. They print the seed; SOAK_SEED sets it. */
import { expect, test } from 'vitest'
import { hangsAfterMs } from '../../testing/real-time.ts'
import { testWith } from '../parts/requirements.ts'
import { soakKills } from './kills.ts'
import { aSeed } from './random.ts'

const seed = Number(process.env.SOAK_SEED ?? aSeed())

test('8 kills lose and reorder no report that was answered 202, and every repetition has the same id', async () => {
  process.stderr.write(`soak of kills, seed ${seed}\n`)
  const result = await soakKills({ kills: 8, sensors: 6, seed })

  expect(result.violations).toEqual([])
  expect(result.accepted).toBeGreaterThan(20)
  expect(result.delivered).toBeGreaterThanOrEqual(result.accepted)
})

testWith('redis-server', 'a soak of a Redis Cluster')(
  'on a cluster whose nodes fail, no report that was answered 202 is lost, and no code or token is honoured twice',
  async () => {
    process.stderr.write(`soak of a cluster, seed ${seed}\n`)
    const result = await soakKills({ kills: 7, sensors: 6, seed, storage: 'cluster' })

    expect(result.violations).toEqual([])
    expect(result.accepted).toBeGreaterThan(100)
    expect(result.delivered).toBeGreaterThanOrEqual(result.accepted)
    for (const tried of Object.values(result.secrets)) expect(tried).toBeGreaterThan(0)
  },
  4 * hangsAfterMs,
)
