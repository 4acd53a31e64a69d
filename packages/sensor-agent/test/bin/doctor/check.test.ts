import { expect, test } from 'vitest'
import { inTime, ok } from '../../../src/bin/doctor/check.ts'
import { createManualClock } from '../../support/manual-clock.ts'

test('a check that does not end has failed after 20 s, under its name and with its advice', async () => {
  const clock = createManualClock()
  const check = inTime('spool', 'check the disk', () => new Promise<never>(() => undefined), clock)

  await clock.advance(20_000)

  expect(await check).toEqual({
    name: 'spool',
    result: 'failed',
    detail: 'it did not end within 20 s',
    advice: 'check the disk',
  })
})

test('a check that ends in time is told as it is, and leaves no wait behind', async () => {
  const clock = createManualClock()

  expect(await inTime('spool', 'check the disk', async () => ok('spool', '0 positions wait'), clock)).toEqual(
    ok('spool', '0 positions wait'),
  )
  expect(clock.sleepers()).toBe(0)
})
