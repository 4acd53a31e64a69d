/** The short version of `pnpm fuzz --receiver`. It prints the seed; FUZZ_SEED sets it. */
import { expect, test } from 'vitest'
import { fuzzReceiver } from './fuzz/fuzz-receiver.ts'
import { aSeed } from './soak/random.ts'

const seed = Number(process.env.FUZZ_SEED ?? aSeed())

test('hostile requests to a relay receiver are refused with 4xx, and whole messages among them are accepted', async () => {
  process.stderr.write(`fuzz of the relay receiver, seed ${seed}\n`)
  const { faults, statuses, requests } = await fuzzReceiver({ requests: 20_000, seconds: 5, seed })

  expect(faults).toEqual([])
  expect(requests).toBeGreaterThan(500)
  expect([...statuses.keys()].sort()).toEqual([200, 204, 400, 401, 403, 413, 415])
}, 60_000)
