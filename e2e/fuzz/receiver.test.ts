/** The short version of `pnpm fuzz --receiver`. It prints the seed; FUZZ_SEED sets it. */
import { expect, test } from 'vitest'
import { aSeed } from '../soak/random.ts'
import { fuzzReceiver } from './fuzz-receiver.ts'

const seed = Number(process.env.FUZZ_SEED ?? aSeed())

test('a relay receiver accepts what is signed and whole, and only what is signed and wrong is not sent again', async () => {
  process.stderr.write(`fuzz of the relay receiver, seed ${seed}\n`)
  const { faults, statuses, requests } = await fuzzReceiver({ requests: 2_000, seed })

  expect(faults).toEqual([])
  expect(requests).toBe(2_000)
  expect([...statuses.keys()].sort()).toEqual([200, 204, 400, 401, 403, 413])
})
