import { expect, test } from 'vitest'
import { addPoint, createHistory } from '../../../src/correlation/targets/history.ts'
import { forgetPast, keepPast, type PastTrack } from '../../../src/correlation/targets/past.ts'
import type { Target } from '../../../src/correlation/targets/target.ts'
import type { StandardIdentifier } from '../../../src/standard/standard-position.ts'

const minuteMs = 60_000

/** What is read of a target that ended. */
function aTarget(
  id: string,
  { state = 'coasting', points = 1, identifiers = [] as StandardIdentifier[] } = {},
): Target {
  const history = createHistory()
  for (let n = 0; n < points; n++) addPoint(history, n * 1_000, 'urn:aa:device:acme:roof1', 60, 24, [], points)
  return { track: { id, state, identifiers }, history } as unknown as Target
}

const idsOf = (past: PastTrack[]) => past.map(({ track }) => track.id)

test('a track that ended is kept for ten minutes; a tentative one is not kept', () => {
  const past: PastTrack[] = []
  keepPast(past, aTarget('t1'), 0)
  keepPast(past, aTarget('t2', { state: 'tentative' }), 0)
  keepPast(past, aTarget('t3'), minuteMs)

  forgetPast(past, 10 * minuteMs - 1)
  expect(idsOf(past)).toEqual(['t1', 't3'])
  forgetPast(past, 10 * minuteMs)
  expect(idsOf(past)).toEqual(['t3'])
})

test('all of them together have at most 6 MiB, of points and of identifiers: the oldest leave', () => {
  const identifiers = Array.from({ length: 7 }, (_, n) => ({
    kind: 'other' as const,
    id: `${n}`.padEnd(64, 'x'),
    type: 'radar',
  }))
  const past: PastTrack[] = []
  for (let n = 0; n < 500; n++) keepPast(past, aTarget(`t${n}`, { points: 300 }), n)
  forgetPast(past, 1_000)
  expect([past.length, past[0]?.track.id]).toEqual([422, 't78'])

  for (let n = 0; n < 5_000; n++) keepPast(past, aTarget(`u${n}`, { identifiers }), n)
  forgetPast(past, 1_000)
  expect(past.length * 1_300).toBeLessThan(6 * 1_024 * 1_024)
  expect(past.at(-1)?.track.id).toBe('u4999')
})
