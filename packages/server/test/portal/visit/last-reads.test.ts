import { expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { ApiError } from '../../../src/errors.ts'
import { createLastReads } from '../../../src/portal/visit/last-reads.ts'

const limited = () => Promise.reject(new ApiError('too_many_requests', 'Too many calls'))

test('while there are too many calls, what was read last is given, for a minute', async () => {
  const clock = createManualClock()
  const readOrLast = createLastReads({ clock })
  expect(await readOrLast('acme', async () => 'first')).toBe('first')
  expect(await readOrLast('acme', limited)).toBe('first')
  await clock.advance(60_001)
  await expect(readOrLast('acme', limited)).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('every other failure is one, and nothing is given under another name', async () => {
  const readOrLast = createLastReads({ clock: createManualClock() })
  await readOrLast('acme', async () => 'first')
  await expect(readOrLast('acme', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await expect(readOrLast('other', limited)).rejects.toMatchObject({ code: 'too_many_requests' })
})
