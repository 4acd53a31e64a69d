/**
 * Maps BaseStation (SBS) lines, as served by readsb, dump1090 and others on port 30003.
 * In: lines. Out: a position for each line that contains one. Velocity, altitude, call sign and squawk come from the
 * line itself or from recent lines of the same aircraft, because most receivers send them in separate lines.
 * Programs for multilateration begin their lines with MLAT instead of MSG.
 */
import type { GeographicVector, Height, PositionData } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import { withAgentTime } from '../agent-time.ts'
import { createIdentities } from '../identities.ts'
import { countReason, type MapperListener, type ReasonCounts } from '../reasons.ts'
import { createTimeline } from '../timeline.ts'
import { atGround, round } from '../units.ts'
import { toIdentifiers } from './address.ts'
import { readSbsLine, type SbsAltitude, type SbsMessage } from './sbs-line.ts'
import { createWallTime } from './wall-time.ts'

export interface SbsMapperOptions extends MapperListener {
  /**
   * The time at which inputs are received now, in ms since the Unix epoch. An input without a usable time then has this
   * one, and says so (`target.additionalInfo.timeSource`). Default: none, as for a recording, where such inputs cannot
   * be used.
   */
  receivedAtMs?: () => number
  /**
   * Time zone of the lines' dates: an IANA name, or an offset such as `+02:00`. Receivers write local time. Default
   * `UTC`.
   */
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

/** `lines` = `positions` + `repetitions` + `withoutPosition` + `unparsable`. */
export interface SbsCounters {
  lines: number
  positions: number
  /** Positions that were said again at the same time. */
  repetitions: number
  /** Lines of other kinds: velocities, call signs, answers to radar. */
  withoutPosition: number
  /** Lines that could not be used. */
  unparsable: number
  /** Of those, how many for which reason. */
  reasons: ReasonCounts
}

// A receiver sees a few hundred aircraft; more than this comes from noise.
const maxAircraft = 10_000

/** @throws RangeError when the time zone does not exist. */
export function createSbsMapper({
  receivedAtMs,
  timeZone = 'UTC',
  mergeWindowMs = 10_000,
  forgetAfterMs = 60_000,
  onUnusable = () => undefined,
  onPartial = () => undefined,
}: SbsMapperOptions = {}): SbsMapper {
  checkNumber('mergeWindowMs', mergeWindowMs, 0)
  checkNumber('forgetAfterMs', forgetAfterMs, 0)
  const toEpochMs = createWallTime(timeZone)
  const timeline = createTimeline()
  const identify = createIdentities()
  // Ordered by the time of the aircraft's last line.
  const aircraft = new Map<string, Aircraft>()
  const counters = { lines: 0, positions: 0, repetitions: 0, withoutPosition: 0, unparsable: 0 }
  const reasons: ReasonCounts = {}

  return { map, counters: () => ({ ...counters, reasons: { ...reasons } }) }

  function map(line: string): PositionData | undefined {
    const text = line.trim()
    if (text === '') return undefined
    counters.lines += 1
    const message = readSbsLine(text, toEpochMs)
    const when = message && !('reason' in message) ? timeline.judge(message.statedAtMs, receivedAtMs?.()) : undefined
    const fault = message && 'reason' in message ? message : undefined
    if (fault || (message && !when)) {
      const { reason, message: why } = fault ?? ({ reason: 'no_time', message: `no date and time: ${text}` } as const)
      counters.unparsable += 1
      countReason(reasons, reason)
      onUnusable(reason, why)
      return undefined
    }
    if (!message || 'reason' in message || !when) return none('withoutPosition')
    const { hex, position } = message
    const { atMs } = when
    const known = remember(message, atMs)
    if (!position) return none('withoutPosition')
    const id = identify(hex.toLowerCase(), atMs, position.lat, position.lon)
    if (id === undefined) return none('repetitions')
    counters.positions += 1
    for (const part of message.unread) if (part !== 'time') onPartial(part)
    if (when.isAgentTime) onPartial('time')
    const mapped = toPosition(id, atMs, message, position, known, mergeWindowMs)
    return when.isAgentTime ? withAgentTime(mapped) : mapped
  }

  function none(counter: 'withoutPosition' | 'repetitions'): undefined {
    counters[counter] += 1
  }

  function remember(message: SbsMessage, atMs: number): Aircraft {
    for (const [hex, { heardAtMs }] of aircraft) {
      if (Math.abs(atMs - heardAtMs) <= forgetAfterMs && aircraft.size < maxAircraft) break
      aircraft.delete(hex)
    }
    const known: Aircraft = { ...aircraft.get(message.hex), heardAtMs: atMs }
    aircraft.delete(message.hex)
    aircraft.set(message.hex, known)

    const { callSign, squawk, altitude, groundVelocity, upMetresPerSecond } = message
    if (callSign) known.callSign = callSign
    if (squawk) known.squawk = squawk
    if (altitude) known.altitude = { value: altitude, atMs }
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
  altitude?: Seen<SbsAltitude>
  groundVelocity?: Seen<{ x: number; y: number }>
  upMetresPerSecond?: Seen<number>
}

function toPosition(
  id: string,
  atMs: number,
  { hex, isMlat, onGround, groundVelocity: own }: SbsMessage,
  where: NonNullable<SbsMessage['position']>,
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
    id,
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

function toHeight(nowMs: number, { value: { metres, datum }, atMs }: Seen<SbsAltitude>): Height {
  return { height: metres, datum, ...aged(nowMs, atMs) }
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
