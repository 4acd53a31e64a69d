/** The short version for what is pushed to the agent. It prints the seed; FUZZ_SEED sets it. */
import { expect, test } from 'vitest'
import { aSeed } from '../../soak/random.ts'
import { fuzzPush } from './fuzz-push.ts'

const seed = Number(process.env.FUZZ_SEED ?? aSeed())

test('broken positions that are pushed raise nothing, and each input is stored, or counted and answered so', async () => {
  process.stderr.write(`fuzz of NDJSON, HTTP and UDP, seed ${seed}\n`)
  const { faults, inputs, positions, unusable } = await fuzzPush({ inputs: 200, seed })

  expect(faults).toEqual([])
  expect(inputs).toBeGreaterThan(500)
  expect(positions).toBeGreaterThan(50)
  expect(unusable).toBeGreaterThan(50)
})
