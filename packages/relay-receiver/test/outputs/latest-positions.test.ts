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

test('spellings of one identifier are one target, shown as the sensor wrote it', () => {
  const latest = latestPositions({ clock: fakeClock() })
  const hear = (id: string, type: string, positionId: string) =>
    latest.record(aReport({ positions: [aPosition({ id: positionId, target: { ids: [{ id, type }] } })] }), { device })

  hear('461F9C', 'ICAO', '1')
  hear(' 461f9c ', 'icao24', '2')
  hear('OHLWA', 'Registration', '3')
  hear('OH-LWA', 'registration', '4')
  hear('fin 1', 'squitter', '5')
  hear('FIN 1', 'squitter', '6')

  expect(latest.list().map(({ target, position }) => [target, position.id])).toEqual([
    ['icao24:461f9c', '2'],
    ['registration:OH-LWA', '4'],
    ['squitter:fin 1', '5'],
    ['squitter:FIN 1', '6'],
  ])
  expect(latest.get('ICAO:461F9C')?.position.id).toBe('2')
  expect(latest.get('Registration:ohlwa')?.position.id).toBe('4')
  expect(latest.get('squitter:fin 1')?.position.id).toBe('5')
  expect(latest.get('ohlwa')).toBeUndefined()
})

test.each([
  ['ahead', '2046-01-01T00:00:00Z'],
  ['behind', '1970-01-01T00:00:00Z'],
])('a sensor whose clock is far %s replaces no position of one whose clock is right', (_, wrong) => {
  const latest = latestPositions({ clock: fakeClock() })
  const hear = (id: string, sourceTimeStamp: string) =>
    latest.record(
      aReport({ positions: [aPosition({ id, sourceTimeStamp, target: { ids: [{ id: 'A', type: 'ICAO' }] } })] }),
      { device },
    )

  hear('wrong-1', wrong)
  hear('right-1', '2026-01-07T12:00:30Z')
  expect(latest.get('ICAO:A')?.position.id).toBe('right-1')

  hear('wrong-2', wrong)
  expect(latest.get('ICAO:A')?.position.id).toBe('right-1')
})

test('a target that only a sensor with a wrong clock hears moves on', async () => {
  const clock = fakeClock()
  const latest = latestPositions({ clock, maxAgeMs: 60_000 })
  const hear = (id: string, sourceTimeStamp: string) =>
    latest.record(
      aReport({ positions: [aPosition({ id, sourceTimeStamp, target: { ids: [{ id: 'A', type: 'ICAO' }] } })] }),
      { device },
    )
  hear('right', '2026-01-07T12:00:30Z')

  for (let n = 1; n <= 7; n++) {
    await clock.advance(10_000)
    hear(`behind-${n}`, `1970-01-01T00:00:0${n}Z`)
  }
  expect(latest.get('ICAO:A')?.position.id).toBe('behind-7')

  await clock.advance(1_000)
  hear('ahead-1', '2046-01-01T00:00:02Z')
  hear('ahead-2', '2046-01-01T00:00:01Z')
  expect(latest.get('ICAO:A')?.position.id).toBe('ahead-2')
})
