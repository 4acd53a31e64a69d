/**
 * Maps BaseStation (SBS) lines, as served by readsb, dump1090 and others on port 30003.
 * In: lines. Out: a position for each line that contains one. Velocity, altitude, call sign and squawk come from the line itself or
 * from recent lines of the same aircraft, because most receivers send them in separate lines.
 * Programs for multilateration begin their lines with MLAT instead of MSG.
 * Layout: http://woodair.net/SBS/Article/Barebones42_Socket_Data.htm
 */
import type { GeographicVector, Height, PositionData } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import { atGround, feetPerMinuteToUp, feetToMetres, isOnEarth, knotsToEastNorth, round } from '../units.ts'
import { toAddress, toCallSign, toIdentifiers } from './address.ts'
import { createWallTime } from './wall-time.ts'

export interface SbsMapperOptions {
  /** Time zone of the lines' dates: an IANA name, or an offset such as `+02:00`. Receivers write local time. Default `UTC`. */
  timeZone?: string
  /** How long a velocity or altitude is added to later positions of its aircraft, in ms. Default 10_000. */
  mergeWindowMs?: number
  /** How long an aircraft and its call sign are remembered after its last line, in ms. Default 60_000. */
  forgetAfterMs?: number
}

export interface SbsMapper {
  /** The line's position, if it contains one. Never throws. */
  map(line: string): PositionData | undefined
  counters(): SbsCounters
}

export interface SbsCounters {
  lines: number
  positions: number
  /** Lines that are not SBS or contain impossible values. */
  unparsable: number
}

// Of the 22 fields of a line, those that have numbers of the flight and at least the comma after the last of them.
const wholeFields = 18
// A receiver sees a few hundred aircraft; more than this comes from noise.
const maxAircraft = 10_000

/** @throws RangeError when the time zone does not exist. */
export function createSbsMapper({
  timeZone = 'UTC',
  mergeWindowMs = 10_000,
  forgetAfterMs = 60_000,
}: SbsMapperOptions = {}): SbsMapper {
  checkNumber('mergeWindowMs', mergeWindowMs, 0)
  checkNumber('forgetAfterMs', forgetAfterMs, 0)
  const toEpochMs = createWallTime(timeZone)
  // Ordered by the time of the aircraft's last line.
  const aircraft = new Map<string, Aircraft>()
  const counters: SbsCounters = { lines: 0, positions: 0, unparsable: 0 }

  return { map, counters: () => ({ ...counters }) }

  function map(line: string): PositionData | undefined {
    const text = line.trim()
    if (text === '') return undefined
    counters.lines += 1
    const fields = text.split(',')
    // SEL, ID, AIR, STA and CLK are valid SBS lines without a position.
    if (/^(?:SEL|ID|AIR|STA|CLK)$/.test(fields[0] ?? '')) return undefined

    const message = toMessage(fields, toEpochMs)
    if (!message) {
      counters.unparsable += 1
      return undefined
    }
    const known = remember(message)
    if (!message.position || isRepetition(known, message.atMs, message.position)) return undefined
    known.last = { atMs: message.atMs, ...message.position }
    counters.positions += 1
    return toPosition(message, message.position, known, mergeWindowMs)
  }

  function remember(message: Message): Aircraft {
    for (const [hex, { heardAtMs }] of aircraft) {
      if (Math.abs(message.atMs - heardAtMs) <= forgetAfterMs && aircraft.size < maxAircraft) break
      aircraft.delete(hex)
    }
    const known: Aircraft = { ...aircraft.get(message.hex), heardAtMs: message.atMs }
    aircraft.delete(message.hex)
    aircraft.set(message.hex, known)

    const { atMs, callSign, squawk, altitude, groundVelocity, upMetresPerSecond } = message
    if (callSign) known.callSign = callSign
    if (squawk) known.squawk = squawk
    if (altitude !== undefined) known.altitude = { value: altitude, atMs }
    if (groundVelocity) known.groundVelocity = { value: groundVelocity, atMs }
    if (upMetresPerSecond !== undefined) known.upMetresPerSecond = { value: upMetresPerSecond, atMs }
    return known
  }
}

interface Seen<T> {
  value: T
  atMs: number
}

interface Aircraft {
  heardAtMs: number
  callSign?: string
  squawk?: string
  /** The last position, to recognise its repetition by a second receiver. */
  last?: { atMs: number; lat: number; lon: number }
  /** In metres, barometric. */
  altitude?: Seen<number>
  groundVelocity?: Seen<{ x: number; y: number }>
  upMetresPerSecond?: Seen<number>
}

interface Message {
  hex: string
  atMs: number
  isMlat: boolean
  callSign: string | undefined
  squawk: string | undefined
  altitude: number | undefined
  groundVelocity: { x: number; y: number } | undefined
  upMetresPerSecond: number | undefined
  position: { lat: number; lon: number } | undefined
  onGround: boolean | undefined
}

function isRepetition({ last }: Aircraft, atMs: number, { lat, lon }: NonNullable<Message['position']>): boolean {
  return last !== undefined && last.atMs === atMs && last.lat === lat && last.lon === lon
}

/**
 * Type 1 is identification, 2 surface position, 3 airborne position, 4 velocity; a multilateration server writes all values into
 * lines of type 3. Types 5 to 7 are answers to radar: they have altitude and squawk; their speeds are guesses of the decoder.
 */
function toMessage(fields: readonly string[], toEpochMs: (date: string, time: string) => number): Message | undefined {
  const field = (index: number) => fields[index]?.trim() ?? ''
  const type = Number(field(1))
  const hex = toAddress(field(4))
  const atMs = toEpochMs(field(6), field(7))
  const kind = field(0)
  // A line that was cut off reads as a shorter number.
  if (fields.length < wholeFields) return undefined
  if ((kind !== 'MSG' && kind !== 'MLAT') || !(type >= 1 && type <= 8) || hex === undefined || Number.isNaN(atMs))
    return undefined

  const [altitudeFeet, knots, track, lat, lon, feetPerMinute] = [11, 12, 13, 14, 15, 16].map((index) =>
    toNumber(field(index)),
  )
  const numbers = [altitudeFeet, knots, track, lat, lon, feetPerMinute]
  if (numbers.some(Number.isNaN) || !isOnEarth(lat ?? 0, lon ?? 0)) return undefined

  const isBroadcast = type <= 4
  return {
    hex,
    atMs,
    isMlat: kind === 'MLAT',
    callSign: isBroadcast ? toCallSign(field(10)) : undefined,
    squawk: /^[0-7]{4}$/.test(field(17)) ? field(17) : undefined,
    altitude: type >= 3 && altitudeFeet !== undefined ? feetToMetres(altitudeFeet) : undefined,
    groundVelocity: isBroadcast ? knotsToEastNorth(knots, track) : undefined,
    upMetresPerSecond: isBroadcast && feetPerMinute !== undefined ? feetPerMinuteToUp(feetPerMinute) : undefined,
    position: (type === 2 || type === 3) && lat !== undefined && lon !== undefined ? { lat, lon } : undefined,
    onGround: toOnGround(field(21)) ?? (type === 2 ? true : undefined),
  }
}

function toPosition(
  { hex, atMs, isMlat, onGround, groundVelocity: own }: Message,
  where: NonNullable<Message['position']>,
  known: Aircraft,
  mergeWindowMs: number,
): PositionData {
  const recent = <T>(seen: Seen<T> | undefined) =>
    seen && Math.abs(atMs - seen.atMs) <= mergeWindowMs ? seen : undefined
  // Values from the flight do not apply to an aircraft that is on the ground now: it does not climb.
  const altitude = onGround ? undefined : recent(known.altitude)
  const groundVelocity = onGround
    ? { ...own, z: 0 }
    : toVector(atMs, recent(known.groundVelocity), recent(known.upMetresPerSecond))
  return {
    id: `${hex.toLowerCase()}-${atMs}`,
    sourceTimeStamp: new Date(atMs).toISOString(),
    target: {
      sourceId: hex,
      type: 'aa:target:aircraft',
      ids: toIdentifiers(hex, known.callSign),
      ...(known.squawk && { additionalInfo: { squawk: known.squawk } }),
    },
    position: { ...where, ...(isMlat && { source: 'mlat' }) },
    ...(onGround && { altitudes: [atGround] }),
    ...(altitude && { altitudes: [toHeight(atMs, altitude)] }),
    ...(groundVelocity && { groundVelocity }),
    ...(onGround !== undefined && { onGround }),
  }
}

function toHeight(nowMs: number, { value, atMs }: Seen<number>): Height {
  return { height: value, datum: 'bar', ...aged(nowMs, atMs) }
}

function toVector(
  nowMs: number,
  ground: Seen<{ x: number; y: number }> | undefined,
  up: Seen<number> | undefined,
): GeographicVector | undefined {
  if (!ground && !up) return undefined
  const atMs = Math.min(ground?.atMs ?? nowMs, up?.atMs ?? nowMs)
  return { ...ground?.value, ...(up && { z: up.value }), ...aged(nowMs, atMs) }
}

/** The value's age in seconds, if it comes from an earlier line. */
function aged(nowMs: number, atMs: number): { age?: number } {
  return nowMs > atMs ? { age: round((nowMs - atMs) / 1_000, 3) } : {}
}

function toNumber(text: string): number | undefined {
  if (text === '') return undefined
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

function toOnGround(text: string): boolean | undefined {
  if (text === '-1' || text === '1') return true
  return text === '0' ? false : undefined
}
