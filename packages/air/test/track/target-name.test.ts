import { expect, test } from 'vitest'
import { nameTrack } from '../../src/alerts/track-name.ts'
import { toCursorOnTarget } from '../../src/formats/cot-event.ts'
import type { StandardIdentifier } from '../../src/standard/standard-position.ts'
import { toAirTrack } from '../../src/track/to-air-track.ts'
import { aTrack } from '../alerts/a-track.ts'
import { parseEvent } from '../formats/a-cot-event.ts'

const all: StandardIdentifier[] = [
  { kind: 'other', id: '4CA1', type: 'radar' },
  { kind: 'IMEI', id: '490154203237518' },
  { kind: 'SerialNumber', id: '1581F45' },
  { kind: 'ICAO', id: '461F9C' },
  { kind: 'Registration', id: 'OH-LVA' },
  { kind: 'CallSign', id: 'FIN5LA ' },
]

test.each([
  ['FIN5LA', all],
  ['OH-LVA', all.slice(0, 5)],
  ['461F9C', all.slice(0, 4)],
  ['1581F45', all.slice(0, 3)],
  ['OH-LVA', [...all.slice(0, 5), { kind: 'CallSign' as const, id: ' ' }]],
])('alerts and TAK servers call a target %s', (name, identifiers) => {
  const track = aTrack({ track: { identifiers } })

  expect(nameTrack(track)).toBe(name)
  expect(
    parseEvent(toCursorOnTarget(toAirTrack(track), { namespace: 'posrep.acme', timeMs: 0 })).detail.contact[
      '@callsign'
    ],
  ).toBe(name)
})

test('a target without such an identifier has the id of its track', () => {
  const track = aTrack({ id: 't7', track: { identifiers: all.slice(0, 2) } })

  expect(nameTrack(track)).toBe('track t7')
  expect(
    parseEvent(toCursorOnTarget(toAirTrack(track), { namespace: 'posrep.acme', timeMs: 0 })).detail.contact[
      '@callsign'
    ],
  ).toBe('t7')
})
