/** The short version of `pnpm soak --agent`: 20 kills and 500 cuts. It prints the seed; SOAK_SEED sets it. */
import { expect, test } from 'vitest'
import { soakAgentCuts } from './soak/agent/cuts.ts'
import { soakAgentKills } from './soak/agent/kills.ts'
import { aSeed } from './soak/random.ts'

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
