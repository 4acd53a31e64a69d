/** The short version of `pnpm fuzz --sources`. It prints the seed; FUZZ_SEED sets it. */
import { expect, test } from 'vitest'
import { aSeed } from '../soak/random.ts'
import { fuzzSources } from './fuzz-sources.ts'

const seed = Number(process.env.FUZZ_SEED ?? aSeed())

test('broken input of receivers raises nothing, is never passed over, and becomes no impossible position', async () => {
  process.stderr.write(`fuzz of the sources, seed ${seed}\n`)
  const { faults, inputs, positions, unusable } = await fuzzSources({ inputs: 2_000, seed })

  expect(faults).toEqual([])
  expect(inputs).toBe(6_000)
  expect(positions).toBeGreaterThan(1_000)
  expect(unusable).toBeGreaterThan(500)
})
