import { expect, test } from 'vitest'
import { checkSources, checkTime } from '../../../src/bin/doctor/source-checks.ts'
import { defineSource } from '../../../src/sources/source.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const hours = 3_600_000

test.each([0, 59_000, -59_000])('positions whose newest is %d ms from the clock are fine', (aheadMs) => {
  expect(checkTime('source', 1, aheadMs)).toEqual({ name: 'source', result: 'ok', detail: '1 positions in 5 s' })
})

test.each([
  ['2 h ahead', 2 * hours + 20_000, '2.0 h ahead', /--time-zone/],
  ['5 h 45 min old', -5.75 * hours, '5.8 h old', /--time-zone/],
  ['7 min ahead', 7 * 60_000, '7 min ahead', /^set the receiver's clock/],
  ['8 min old', -8 * 60_000, '8 min old', /^check that the receiver still runs/],
  ['a whole number of hours old that no time zone has', -48 * hours, '2 days old', /^check that the receiver/],
])('positions whose newest is %s are told with the likely cause', (_, aheadMs, text, advice) => {
  expect(checkTime('source', 101, aheadMs)).toEqual({
    name: 'source',
    result: 'warning',
    detail: `more than 100 positions in 5 s, but the newest is ${text}`,
    advice: expect.stringMatching(advice),
  })
})

test('a source that does not stop has failed after 20 s; the others are told', async () => {
  const clock = createManualClock()
  const stuck = defineSource('stuck', () => new Promise(() => undefined))
  const empty = defineSource('empty', async () => undefined)
  const checks = checkSources([stuck, empty], false, clock)

  await clock.advance(20_000)

  expect(await checks).toMatchObject([
    { name: 'source stuck', result: 'failed', detail: 'it did not end within 20 s' },
    { name: 'source empty', result: 'warning' },
  ])
})
