/**
 * Reads one BaseStation line: its 22 fields, as the receivers really write them.
 * In: a line. Out: a message, or why there is none. Layout: http://woodair.net/SBS/Article/Barebones42_Socket_Data.htm
 */
import { findDegrees, findNumber, findText } from '../fields.ts'
import { quote, type UnusableReason } from '../reasons.ts'
import { feetPerMinuteToUp, feetToMetres, isOnEarth, knotsToEastNorth } from '../units.ts'
import { toAddress, toCallSign } from './address.ts'

export interface SbsMessage {
  hex: string
  /** As the line states it, by the time zone of the receiver; `undefined` when it does not, or not readably. */
  statedAtMs: number | undefined
  isMlat: boolean
  callSign: string | undefined
  squawk: string | undefined
  altitude: SbsAltitude | undefined
  groundVelocity: { x: number; y: number } | undefined
  upMetresPerSecond: number | undefined
  position: { lat: number; lon: number } | undefined
  onGround: boolean | undefined
  /** Fields that have something which cannot be read. */
  unread: string[]
}

/** In metres. dump1090 writes an H after a height above the ellipsoid. */
export interface SbsAltitude {
  metres: number
  datum: 'bar' | 'wgs84'
}

export interface SbsFault {
  reason: UnusableReason
  message: string
}

type ToEpochMs = (date: string, time: string) => number

// Some receivers end a line after the last field that they have. With a longitude it is a position.
const leastFields = 16
const allFields = 22
// A line is measured before it is split.
const longestLine = 1_000

/**
 * Undefined for SEL, ID, AIR, STA and CLK, which are valid and have no position.
 *
 * Type 1 is identification, 2 surface position, 3 airborne position, 4 velocity; a multilateration server writes all
 * values into lines of type 3. Types 5 to 7 are answers to radar: they have altitude and squawk; their speeds are
 * guesses of the decoder.
 */
export function readSbsLine(line: string, toEpochMs: ToEpochMs): SbsMessage | SbsFault | undefined {
  const fields = line.length > longestLine ? [] : splitFields(line)
  const field = (index: number) => findText(fields[index]) ?? ''
  const kind = field(0)
  if (/^(?:SEL|ID|AIR|STA|CLK)$/.test(kind)) return undefined
  if (kind !== 'MSG' && kind !== 'MLAT') return unreadable(toHint(line), line)
  const type = Number(field(1))
  if (!(type >= 1 && type <= 8)) return unreadable(`message type "${quote(field(1))}" is not 1 to 8`, line)
  if (fields.length < leastFields) return unreadable(`the line ends after ${fields.length} of 22 fields`, line)
  if (hasDecimalCommas(fields)) return unreadable('the numbers have decimal commas, which are read as separators', line)
  const hex = toAddress(field(4))
  if (hex === undefined) {
    const message = `address "${quote(field(4))}" is not six hexadecimal digits of an aircraft: ${quote(line)}`
    return { reason: 'no_identifier', message }
  }

  const unread: string[] = []
  const number = (index: number, name: string) => {
    const value = findNumber(field(index))
    if (value === undefined && field(index) !== '') unread.push(name)
    return value
  }
  const position = type === 2 || type === 3 ? toPlace(field(14), field(15), line) : undefined
  if (position && 'reason' in position) return position
  const knots = number(12, 'speed')
  if (knots !== undefined && knots < 0) unread.push('speed')
  const track = number(13, 'track')
  if (track !== undefined && findDegrees(track) === undefined) unread.push('track')
  const feetPerMinute = number(16, 'verticalRate')
  const altitude = toAltitude(field(11))
  if (!altitude && field(11) !== '') unread.push('altitude')
  const statedAtMs = findTime(fields, toEpochMs)
  if (statedAtMs === undefined && field(6) + field(7) + field(8) + field(9) !== '') unread.push('time')
  const isBroadcast = type <= 4
  return {
    hex,
    statedAtMs,
    isMlat: kind === 'MLAT',
    callSign: isBroadcast ? toCallSign(field(10)) : undefined,
    squawk: /^[0-7]{4}$/.test(field(17)) ? field(17) : undefined,
    altitude: type >= 3 ? altitude : undefined,
    groundVelocity: isBroadcast ? knotsToEastNorth(knots, findDegrees(track)) : undefined,
    upMetresPerSecond: isBroadcast && feetPerMinute !== undefined ? feetPerMinuteToUp(feetPerMinute) : undefined,
    position,
    onGround: toOnGround(field(21)) ?? (type === 2 ? true : undefined),
    unread,
  }
}

/** A field may be in quotation marks and have commas. */
function splitFields(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/**
 * In times a number follows where a date belongs; in coordinates there are fields too many, and neither has a point.
 */
function hasDecimalCommas(fields: readonly string[]): boolean {
  const isWhole = (index: number) => /^-?\d+$/.test(findText(fields[index]) ?? '')
  return isWhole(8) || (fields.length > allFields && isWhole(14) && isWhole(15))
}

/** When the message was generated, else when it was logged. */
function findTime(fields: readonly string[], toEpochMs: ToEpochMs): number | undefined {
  for (const at of [6, 8]) {
    const ms = toEpochMs(findText(fields[at]) ?? '', findText(fields[at + 1]) ?? '')
    if (!Number.isNaN(ms)) return ms
  }
  return undefined
}

function toPlace(latText: string, lonText: string, line: string): SbsMessage['position'] | SbsFault {
  if (latText === '' && lonText === '') return undefined
  const [lat, lon] = [findNumber(latText), findNumber(lonText)]
  const seen = `latitude "${quote(latText)}", longitude "${quote(lonText)}": ${quote(line)}`
  if (lat === undefined || lon === undefined) return { reason: 'no_place', message: `not numbers: ${seen}` }
  if (!isOnEarth(lat, lon)) return { reason: 'impossible_place', message: `not on Earth: ${seen}` }
  if (lat === 0 && lon === 0) return { reason: 'null_island', message: `0/0 is no position: ${quote(line)}` }
  return { lat, lon }
}

function toAltitude(text: string): SbsAltitude | undefined {
  const isAboveEllipsoid = /\d\s*H$/i.test(text)
  const feet = findNumber(isAboveEllipsoid ? text.slice(0, -1) : text)
  return feet === undefined ? undefined : { metres: feetToMetres(feet), datum: isAboveEllipsoid ? 'wgs84' : 'bar' }
}

function toOnGround(text: string): boolean | undefined {
  if (text === '-1' || text === '1') return true
  return text === '0' ? false : undefined
}

function unreadable(why: string, line: string): SbsFault {
  return { reason: 'unreadable', message: `${why}: ${quote(line)}` }
}

/** What other ports of receivers send. */
function toHint(line: string): string {
  if (/^[*@:%][0-9A-Fa-f]+;/.test(line)) return 'raw messages (AVR), not SBS lines, which are usually on port 30003'
  if (line.includes('\x1a')) return 'the Beast format, not SBS lines, which are usually on port 30003'
  if (/^\s*[{[]/.test(line)) return 'JSON, not an SBS line'
  return 'not an SBS line'
}
