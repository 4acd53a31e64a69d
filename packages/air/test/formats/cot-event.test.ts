import type { AirTrack } from '@posrep/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCursorOnTarget } from '../../src/formats/cot-event.ts'
import { aTrack } from '../an-air-track.ts'
import { parseEvent } from './a-cot-event.ts'

const timeMs = Date.parse('2026-01-07T12:00:31Z')

function anEvent(differences: Partial<AirTrack> = {}) {
  const track = aTrack({
    id: 't1f',
    type: 'aa:target:aircraft',
    identifiers: [
      { id: '461F9C', type: 'ICAO' },
      { id: 'FIN5LA', type: 'CallSign' },
    ],
    time: '2026-01-07T12:00:30.250Z',
    position: { lat: 60.317_21, lon: -24.963_3, accuracy: 12.4 },
    altitudes: [
      { height: 1_234.4, datum: 'bar', provenance: 'given' },
      { height: 1_240.5, datum: 'wgs84', provenance: 'given', accuracy: 45 },
    ],
    groundVelocity: { x: 102.9, y: -3.1, z: 2.6 },
    ...differences,
  })
  return parseEvent(toCursorOnTarget(track, { namespace: 'posrep.acme', timeMs: timeMs }))
}

test('an event has where, when and who, as Cursor on Target writes it', () => {
  expect(anEvent()).toMatchObject({
    '@version': '2.0',
    '@uid': 'posrep.acme.t1f',
    '@type': 'a-u-A-C-F',
    '@how': 'm-f',
    '@time': '2026-01-07T12:00:31.000Z',
    '@start': '2026-01-07T12:00:30.250Z',
    '@stale': '2026-01-07T12:01:01.000Z',
    point: { '@lat': '60.3172100', '@lon': '-24.9633000', '@hae': '1240.5', '@ce': '5.1', '@le': '23.0' },
    detail: { contact: { '@callsign': 'FIN5LA' }, track: { '@course': '91.7', '@speed': '102.95' } },
  })
  expect(anEvent().detail.remarks).toMatch(/^Not for navigation; ICAO 461F9C; CallSign FIN5LA; /)
})

test('what is not known is written as Cursor on Target does, or left out', () => {
  const event = anEvent({ altitudes: [], position: { lat: 60, lon: 24 }, groundVelocity: {} })

  expect(event.point).toMatchObject({ '@hae': '9999999.0', '@ce': '9999999.0', '@le': '9999999.0' })
  expect(event.detail.track).toBeUndefined()
})

test.each<[string, Partial<AirTrack>]>([
  ['a-u-A-M-H-Q', { type: 'aa:target:drone' }],
  ['a-u-A-C-F', { identifiers: [{ id: '461F9C', type: 'ICAO' }] }],
  ['a-u-A', { identifiers: [] }],
])('the type is %s', (type, differences) => {
  const { type: _, ...track } = aTrack(differences)
  const given = differences.type ? { ...track, type: differences.type } : track

  expect(parseEvent(toCursorOnTarget(given, { namespace: 'posrep.acme', timeMs: timeMs }))['@type']).toBe(type)
})

test('the UID stays when the target gets another identifier; the name is the best one that is known', () => {
  const before = anEvent({ identifiers: [{ id: '1581F45', type: 'SerialNumber' }] })
  const after = anEvent({ identifiers: [{ id: 'OH-LVA', type: 'Registration' }] })

  expect(after['@uid']).toBe(before['@uid'])
  expect([before, after].map(({ detail }) => detail.contact['@callsign'])).toEqual(['1581F45', 'OH-LVA'])
  expect(anEvent({ identifiers: [] }).detail.contact['@callsign']).toBe('t1f')
})

test('an event begins with the XML declaration and a line break, and ends with the end tag', () => {
  const text = toCursorOnTarget(aTrack(), { namespace: 'posrep.acme', timeMs: timeMs })

  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8" standalone="yes"\?>\n<event /)
  expect(text.endsWith('</event>')).toBe(true)
})

test('whatever a sensor sends as identifier, the event is well-formed, and one', () => {
  const codePoints = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 30 })
  const anything = codePoints.map((points) => String.fromCodePoint(...points))
  const hostile = fc.constantFrom('</event>', ']]>', '<!--', '&#0;', '\u0000', '\uD800', '"/><x a="', '\uFFFE')
  fc.assert(
    fc.property(fc.array(fc.oneof(anything, hostile), { maxLength: 5 }), fc.string(), (parts, type) => {
      const id = parts.join('')
      const identifiers = [
        { id, type: 'CallSign' },
        { id, type },
      ]
      const text = toCursorOnTarget(aTrack({ identifiers }), { namespace: 'posrep.acme', timeMs: timeMs })
      expect(text.match(/<\/event>/g)).toHaveLength(1)
      expect(parseEvent(text).point['@lat']).toBeDefined()
    }),
  )
})
