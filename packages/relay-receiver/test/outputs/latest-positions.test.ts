import { expect, test } from 'vitest'
import { latestPositions } from '../../src/outputs/latest-positions.ts'
import { aPosition, aReport, fakeClock } from '../builders.ts'

const device = 'urn:aa:device:acme:roof1'

function aTarget(id: string, second = 0, more: object = {}) {
  return aPosition({
    id: `${id}-${second}`,
    sourceTimeStamp: `2026-01-07T12:00:${String(second).padStart(2, '0')}Z`,
    target: { ids: [{ id, type: 'ICAO' }], ...more },
  })
}

test('the newest position of each target is kept, in the order in which targets were heard', () => {
  const latest = latestPositions({ clock: fakeClock() })

  latest.record(aReport({ positions: [aTarget('A', 1), aTarget('B', 1)] }), { device })
  latest.record(aReport({ positions: [aTarget('A', 2)] }), { device })

  expect(latest.list().map(({ target, position }) => [target, position.id])).toEqual([
    ['ICAO:B', 'B-1'],
    ['ICAO:A', 'A-2'],
  ])
  expect(latest.get('ICAO:A')).toMatchObject({ device, position: { id: 'A-2' } })
})

test('a position that is older than the one kept does not replace it', () => {
  const latest = latestPositions({ clock: fakeClock() })
  for (const second of [5, 3]) latest.record(aReport({ positions: [aTarget('A', second)] }), { device })

  expect(latest.get('ICAO:A')?.position.id).toBe('A-5')
})

test('a target is known by its ICAO address, else by its first identifier, else by the ID of its sensor', () => {
  const latest = latestPositions({ clock: fakeClock() })
  const targets = [
    {
      ids: [
        { id: 'FIN1', type: 'callsign' },
        { id: '461F9C', type: 'ICAO' },
      ],
    },
    { ids: [{ id: 'FIN2', type: 'callsign' }] },
    { ids: [{ id: '7' }] },
    { sourceId: 't-9' },
    {},
  ]
  latest.record(aReport({ positions: targets.map((target) => aPosition({ target })) }), { device })

  expect(latest.list().map(({ target }) => target)).toEqual(['ICAO:461F9C', 'callsign:FIN2', 'ID:7', `${device}/t-9`])
})

test('a target that is not heard for "maxAgeMs" is removed', async () => {
  const clock = fakeClock()
  const latest = latestPositions({ clock, maxAgeMs: 1_000 })
  latest.record(aReport({ positions: [aTarget('A')] }), { device })
  await clock.advance(600)
  latest.record(aReport({ positions: [aTarget('B')] }), { device })

  await clock.advance(401)

  expect(latest.list().map(({ target }) => target)).toEqual(['ICAO:B'])
  expect(latest.get('ICAO:A')).toBeUndefined()
})

test('beyond "maxTargets" the target that was not heard for the longest time is removed', () => {
  const latest = latestPositions({ clock: fakeClock(), maxTargets: 2 })
  for (const id of ['A', 'B', 'A', 'C']) latest.record(aReport({ positions: [aTarget(id)] }), { device })

  expect(latest.list().map(({ target }) => target)).toEqual(['ICAO:A', 'ICAO:C'])
  expect(() => latestPositions({ maxTargets: 0 })).toThrow('"maxTargets" must be at least 1, got 0')
})
