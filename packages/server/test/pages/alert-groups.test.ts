import type { AirAlert } from '@posrep/spec'
import { expect, test } from 'vitest'
import { groupActive, moreOf, sortEnded } from '../../src/pages/map/page/panels/alert-groups.ts'
import { anAlert } from '../air/a-picture.ts'

function aConflict(id: string, ...trackIds: [string, string]): AirAlert {
  const alert = anAlert({ id })
  const [a, b] = alert.conflict?.tracks ?? []
  if (!alert.conflict || !a || !b) throw new Error('the example is a conflict')
  const tracks: typeof alert.conflict.tracks = [
    { ...a, trackId: trackIds[0] },
    { ...b, trackId: trackIds[1] },
  ]
  return { ...alert, conflict: { ...alert.conflict, tracks } }
}

const idsOf = (alerts: AirAlert[]) => groupActive(alerts).map((group) => group.map(({ id }) => id))

test('conflicts that share targets are one entry, also when a later one joins two of them', () => {
  const [ab, cd, ef, bc] = [
    aConflict('ab', 'a', 'b'),
    aConflict('cd', 'c', 'd'),
    aConflict('ef', 'e', 'f'),
    aConflict('bc', 'b', 'c'),
  ]

  expect(idsOf([ab, cd, ef])).toEqual([['ab'], ['cd'], ['ef']])
  expect(idsOf([ab, cd, ef, bc])).toEqual([['ab', 'bc', 'cd'], ['ef']])
  expect(moreOf([ab, bc, cd])).toBe('2 more conflicts of the same targets')
})

test('alerts of other kinds are entries of their own, and ended ones are in no group', () => {
  const { conflict: _, ...silent } = anAlert({ id: 's', kind: 'silentSensor' })
  const ended: AirAlert = { ...aConflict('ab', 'a', 'b'), state: 'ended', endedAt: '2026-01-07T12:00:00.000Z' }

  expect(idsOf([silent, { ...silent, id: 's2' }, ended])).toEqual([['s'], ['s2']])
})

test('ended alerts are in the order of their ends, the newest first', () => {
  const at = (endedAt: string | null) => ({ endedAt })
  const [first, second] = ['2026-01-07T12:00:00.000Z', '2026-01-07T12:00:01.000Z']

  expect(sortEnded([at(first), at(null), at(second)])).toEqual([at(second), at(first)])
})
