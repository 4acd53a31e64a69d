/**
 * What is written is compared with README-json.md of readsb, and with what tar1090 (html/planeObject.js) reads of it.
 */
import { expect, test } from 'vitest'
import { toReadsb } from '../../src/formats/readsb.ts'
import { aTrack } from '../an-air-track.ts'

const nowMs = Date.parse('2026-01-07T12:00:31Z')
const types = [
  ...['adsb_icao', 'adsb_icao_nt', 'adsr_icao', 'tisb_icao', 'adsc', 'mlat', 'other', 'mode_s'],
  ...['adsb_other', 'adsr_other', 'tisb_other', 'tisb_trackfile'],
]
const documented: Record<string, (value: unknown) => boolean> = {
  hex: (value) => /^~?[0-9a-f]{6}$/.test(String(value)),
  type: (value) => types.includes(String(value)),
  flight: (value) => String(value).length === 8,
  r: (value) => typeof value === 'string',
  // Feet, or the word.
  alt_baro: (value) => value === 'ground' || Number.isInteger(value),
  alt_geom: Number.isInteger,
  gs: (value) => Number(value) >= 0,
  // "0-359"
  track: (value) => Number(value) >= 0 && Number(value) < 360,
  baro_rate: Number.isInteger,
  geom_rate: Number.isInteger,
  // "A0 - D7"; B6 is an unmanned aircraft.
  category: (value) => /^[A-D][0-7]$/.test(String(value)),
  lat: (value) => Math.abs(Number(value)) <= 90,
  lon: (value) => Math.abs(Number(value)) <= 180,
  seen_pos: (value) => Number(value) >= 0,
  seen: (value) => Number(value) >= 0,
  messages: Number.isInteger,
  // "always negative"
  rssi: (value) => Number(value) < 0,
}

const tracks = [
  aTrack({
    id: 't1',
    identifiers: [
      { id: '461F9C', type: 'ICAO' },
      { id: 'FIN5LA', type: 'CallSign' },
      { id: 'OH-LVA', type: 'Registration' },
    ],
    time: '2026-01-07T12:00:30Z',
  }),
  aTrack({ id: 't2', type: 'aa:target:drone', identifiers: [], onGround: true, time: '2026-01-07T12:00:30Z' }),
  aTrack({ id: 't3', altitudes: [{ height: 90, datum: 'wgs84', provenance: 'given' }], time: '2026-01-07T12:00:30Z' }),
]

test('every member is one of readsb, in its form', () => {
  const { aircraft, notice, ...list } = toReadsb(tracks, { timeMs: nowMs })

  expect(list).toEqual({ now: nowMs / 1_000, messages: expect.any(Number) })
  expect(aircraft).toHaveLength(tracks.length)
  const members = aircraft.flatMap((one) => Object.entries(one))
  expect(members.filter(([name, value]) => !documented[name]?.(value))).toEqual([])
  expect(new Set(members.map(([name]) => name))).toEqual(new Set(Object.keys(documented)))
})

test('a position that is older than a minute is not valid in readsb, so the aircraft is left out', () => {
  const at = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString()

  expect(toReadsb([aTrack({ time: at(60) }), aTrack({ time: at(61) })], { timeMs: nowMs }).aircraft).toHaveLength(1)
})

test('a reader finds the altitude where readsb has it: pressure first, else geometric', () => {
  // As tar1090 does it.
  const read = ({ alt_baro, alt_geom }: { alt_baro?: unknown; alt_geom?: unknown }) => alt_baro ?? alt_geom

  expect(toReadsb(tracks, { timeMs: nowMs }).aircraft.map(read)).toEqual([expect.any(Number), 'ground', 295])
})
