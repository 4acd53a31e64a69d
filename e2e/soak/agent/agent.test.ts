/** The short version of `pnpm soak --agent`: 20 kills and 500 cuts. It prints the seed; SOAK_SEED sets it. */
import { expect, test } from 'vitest'
import { aSeed } from '../random.ts'
import { soakAgentCuts } from './cuts.ts'
import { soakAgentKills, toStalledMs } from './kills.ts'

const seed = Number(process.env.SOAK_SEED ?? aSeed())
process.stderr.write(`soak of the agent, seed ${seed}\n`)

test.concurrent.each(['file', 'memory-first'] as const)(
  '10 kills lose no position beyond what the durability "%s" allows, and change no order',
  async (durability) => {
    const result = await soakAgentKills({ kills: 10, seed, durability })

    expect(result.violations).toEqual([])
    expect(result.accepted).toBeGreaterThan(100)
    expect(result.received).toBeGreaterThan(50)
  },
)

test.concurrent('500 cuts and damages of the files lose no whole position, invent none, and need no mending', async () => {
  const result = await soakAgentCuts({ cuts: 500, seed })

  expect(result.violations).toEqual([])
  expect(result.delivered).toBeGreaterThan(5_000)
})

test.each([
  ['before its first tick', [1_500, 1_520], 1_000, 500],
  ['until it was killed, without any tick', [2_233], 1_000, 1_233],
  ['between two ticks', [990, 1_010, 1_310, 1_330], 1_000, 300],
  ['never', [1_010, 1_030, 1_050], 1_000, 0],
  ['before the position was stored, which does not count', [200, 990, 1_010], 1_000, 0],
])('the time in which a process could not run %s', (_, ticksMs, fromMs, stalledMs) => {
  expect(toStalledMs(ticksMs, fromMs)).toBe(stalledMs)
})
