/** The short version of `pnpm fuzz`. It prints the seed; FUZZ_SEED sets it. */
import { expect, test } from 'vitest'
import { hangsAfterMs } from '../../testing/real-time.ts'
import { aSeed } from '../soak/random.ts'
import { fuzzIngest } from './fuzz-ingest.ts'

const seed = Number(process.env.FUZZ_SEED ?? aSeed())

test('valid reports are accepted, and all other requests are refused with a JSON Pointer, for every encoding', async () => {
  process.stderr.write(`fuzz of the ingest, seed ${seed}\n`)
  const { faults, statuses, requests } = await fuzzIngest({ requests: 2_000, deadlineMs: hangsAfterMs, seed })

  expect(faults).toEqual([])
  expect(requests).toBe(2_000)
  expect([...statuses.keys()].sort()).toEqual([202, 400, 401, 403, 413, 415])
})
