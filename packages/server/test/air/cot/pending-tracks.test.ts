import { expect, test } from 'vitest'
import { createPendingTracks } from '../../../src/air/cot/pending-tracks.ts'
import { aTrack } from '../a-picture.ts'

test('of each track only the latest state waits, in the order in which the tracks came first', () => {
  const pending = createPendingTracks()
  const latest = aTrack({ id: 't1', positions: 3 })
  pending.add([aTrack({ id: 't1', positions: 1 }), aTrack({ id: 't2' })])
  pending.add([latest])

  expect(pending.size()).toBe(2)
  expect([pending.take(1), pending.take(5).map(({ id }) => id), pending.take(5)]).toEqual([[latest], ['t2'], []])
})
