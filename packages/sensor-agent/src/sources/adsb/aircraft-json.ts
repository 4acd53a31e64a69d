/**
 * Maps `aircraft.json` of readsb and dump1090, and the answers of the aggregators that use the same fields.
 * In: snapshots, usually one per second. Out: the positions that are new in each snapshot. A snapshot repeats the last
 * position of each aircraft, so a position is recognised by its time (`now` less `seen_pos`) and its coordinates.
 * Fields: https://github.com/wiedehopf/readsb/blob/dev/README-json.md; dump1090 before version 3 calls three of them
 * `altitude`, `speed` and `vert_rate`.
 */
import type { PositionData } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import { withAgentTime } from '../agent-time.ts'
import { type Fields, findFields, findFlag, findNumber, isGiven, sawMembers, toEpochMs } from '../fields.ts'
import { countReason, type MapperListener, quote, type ReasonCounts, type UnusableReason } from '../reasons.ts'
import { createTimeline } from '../timeline.ts'
import { isOnEarth } from '../units.ts'
import { toAddress } from './address.ts'
import { toPosition } from './aircraft-position.ts'

export interface AircraftJsonMapperOptions extends MapperListener {
  /**
   * A position whose `seen_pos` is larger is skipped, in seconds. Default 60, as in readsb: older ones are no longer
   * valid.
   */
  maxAgeSeconds?: number
}

export interface AircraftJsonMapper {
  /**
   * The new positions, in the order of the snapshot. `receivedAtMs` is the time of a snapshot without a usable `now`;
   * its positions say so (`target.additionalInfo.timeSource`). Never throws.
   */
  map(snapshot: unknown, receivedAtMs: number): PositionData[]
  counters(): AircraftJsonCounters
}

/**
 * Of the aircraft in all snapshots: `aircraft` = `positions` + `repetitions` + `withoutPosition` + `unparsable` less
 * values that are no snapshot.
 */
export interface AircraftJsonCounters {
  snapshots: number
  aircraft: number
  positions: number
  /** Positions that an earlier snapshot had, too. */
  repetitions: number
  /** Aircraft that have no position, or only one that is too old or that the receiver holds to be invalid. */
  withoutPosition: number
  /** Values that are no snapshot, and aircraft that could not be used. */
  unparsable: number
  /** Of those, how many for which reason. */
  reasons: ReasonCounts
}

// Some receivers round `now` and `seen_pos` to a tenth of a second each, so the time of one position varies by that
// much.
const sameTimeMs = 200
// The servers of an aggregator take turns, and `now` of one may be some seconds behind that of another.
const clockStepMs = 5_000
// readsb forgets an aircraft after five minutes at the latest.
const forgetAfterMs = 600_000

export function createAircraftJsonMapper({
  maxAgeSeconds = 60,
  onUnusable = () => undefined,
  onPartial = () => undefined,
}: AircraftJsonMapperOptions = {}): AircraftJsonMapper {
  checkNumber('maxAgeSeconds', maxAgeSeconds, 0)
  const timeline = createTimeline()
  const lastPositions = new Map<string, Where & { nowMs: number }>()
  const counters = { snapshots: 0, aircraft: 0, positions: 0, repetitions: 0, withoutPosition: 0, unparsable: 0 }
  const reasons: ReasonCounts = {}
  let forgottenAtMs = 0

  return { map, counters: () => ({ ...counters, reasons: { ...reasons } }) }

  function map(snapshot: unknown, receivedAtMs: number): PositionData[] {
    const found = findSnapshot(snapshot)
    if (!found) {
      unusable(
        'unreadable',
        `it is not aircraft.json: it has no list of aircraft; ${sawMembers(findFields(snapshot) ?? {})}`,
      )
      return []
    }
    // The recording has no reception, and 0 stands for none.
    const received = receivedAtMs === 0 ? undefined : receivedAtMs
    const when = timeline.judge(toEpochMs(found.now), received) ?? { atMs: receivedAtMs, isAgentTime: true }
    counters.snapshots += 1
    forget(when.atMs)
    const isSecond = findSeconds(found.aircraft)
    return found.aircraft.flatMap((item) => {
      counters.aircraft += 1
      if (isSecond(item)) {
        unusable('twice_in_snapshot', `${quote(JSON.stringify(findFields(item)?.hex) ?? '')} is in the list twice`)
        return []
      }
      const position = mapAircraft(item, when.atMs)
      if (!position) return []
      if (when.isAgentTime && received !== undefined) {
        onPartial('time')
        return [withAgentTime(position)]
      }
      return [position]
    })
  }

  function mapAircraft(item: unknown, nowMs: number): PositionData | undefined {
    const aircraft = findFields(item)
    const address = toAddress(aircraft?.hex ?? aircraft?.icao)
    if (!aircraft || address === undefined) {
      const seen = aircraft ? (aircraft.hex ?? aircraft.icao) : item
      const what =
        seen === undefined ? `no "hex"; ${sawMembers(aircraft ?? {})}` : `"hex" is ${quote(JSON.stringify(seen) ?? '')}`
      return unusable(aircraft ? 'no_identifier' : 'unreadable', what)
    }
    const where = findPosition(aircraft, nowMs, maxAgeSeconds)
    if (where === undefined) {
      counters.withoutPosition += 1
      return undefined
    }
    if ('reason' in where) return unusable(where.reason, `${address}: ${where.message}`)
    const atMs = newTimeMs(address, where, nowMs)
    if (atMs === undefined) {
      counters.repetitions += 1
      return undefined
    }
    counters.positions += 1
    for (const part of unreadParts(aircraft)) onPartial(part)
    return toPosition(address, atMs, aircraft, where)
  }

  function unusable(reason: UnusableReason, message: string): undefined {
    counters.unparsable += 1
    countReason(reasons, reason)
    onUnusable(reason, message)
  }

  /** The position's time, or `undefined` when it is the last one again or older. */
  function newTimeMs(address: string, { atMs, lat, lon }: Where, nowMs: number): number | undefined {
    const last = lastPositions.get(address)
    // After the receiver's clock was set back, its times say nothing about the order.
    const isComparable = last !== undefined && nowMs >= last.nowMs - clockStepMs
    if (isComparable) {
      const isSamePlace = last.lat === lat && last.lon === lon
      if (isSamePlace ? atMs <= last.atMs + sameTimeMs : atMs <= last.atMs - sameTimeMs) return undefined
    }
    // A rounded time may not be later than that of the position before.
    const time = isComparable ? Math.max(atMs, last.atMs + 1) : atMs
    lastPositions.set(address, { atMs: time, lat, lon, nowMs })
    return time
  }

  function forget(nowMs: number): void {
    if (Math.abs(nowMs - forgottenAtMs) < forgetAfterMs) return
    forgottenAtMs = nowMs
    for (const [address, { atMs }] of lastPositions) {
      if (Math.abs(nowMs - atMs) > forgetAfterMs) lastPositions.delete(address)
    }
  }
}

interface Where {
  lat: number
  lon: number
  atMs: number
}

/**
 * A file has `aircraft`, an aggregator may call it `ac`, and have null for none; very old dump1090 writes only the
 * list.
 */
function findSnapshot(value: unknown): { aircraft: unknown[]; now: unknown } | undefined {
  const fields = findFields(value)
  const aircraft = Array.isArray(value) ? value : fields?.aircraft === undefined ? fields?.ac : fields.aircraft
  if (fields && aircraft === null) return { aircraft: [], now: fields.now }
  return Array.isArray(aircraft) ? { aircraft, now: fields?.now } : undefined
}

/** Whether a list has a newer position of the same target: of two, the one with the smaller `seen_pos` is taken. */
function findSeconds(list: readonly unknown[]): (item: unknown) => boolean {
  const newest = new Map<string, unknown>()
  for (const item of list) {
    const fields = findFields(item)
    const address = toAddress(fields?.hex ?? fields?.icao)
    if (!fields || address === undefined) continue
    const other = newest.get(address)
    if (other === undefined || rankOf(fields) < rankOf(other)) newest.set(address, fields)
  }
  return (item) => {
    const fields = findFields(item)
    const address = toAddress(fields?.hex ?? fields?.icao)
    return address !== undefined && newest.get(address) !== fields
  }
}

/** Without a position it comes last. */
function rankOf(aircraft: unknown): number {
  const { lat, seen_pos, seen } = findFields(aircraft) ?? {}
  return findNumber(lat) === undefined ? Number.MAX_VALUE : (findNumber(seen_pos) ?? findNumber(seen) ?? 0)
}

function findPosition(
  aircraft: Fields,
  nowMs: number,
  maxAgeSeconds: number,
): Where | { reason: UnusableReason; message: string } | undefined {
  if (!isGiven(aircraft.lat) && !isGiven(aircraft.lon)) return findOddPlace(aircraft)
  const seen = `"lat" ${quote(JSON.stringify(aircraft.lat) ?? '?')}, "lon" ${quote(JSON.stringify(aircraft.lon) ?? '?')}`
  if (findFlag(aircraft.validposition) === false) return undefined
  const [lat, lon] = [findNumber(aircraft.lat), findNumber(aircraft.lon)]
  if (lat === undefined || lon === undefined) return { reason: 'no_place', message: `no numbers: ${seen}` }
  if (!isOnEarth(lat, lon)) return { reason: 'impossible_place', message: `not on Earth: ${seen}` }
  if (lat === 0 && lon === 0) return { reason: 'null_island', message: '0/0 is no position' }
  const ageSeconds = findNumber(aircraft.seen_pos) ?? findNumber(aircraft.seen) ?? 0
  if (ageSeconds < 0 || ageSeconds > maxAgeSeconds) return undefined
  return { lat, lon, atMs: Math.round(nowMs - ageSeconds * 1_000) }
}

/** A place under a name that receivers of this format do not use. */
function findOddPlace(aircraft: Fields): { reason: UnusableReason; message: string } | undefined {
  const isOdd = Object.entries(aircraft).some(([name, value]) => /^(?:lat|lng|lon)/i.test(name) && isGiven(value))
  return isOdd ? { reason: 'no_place', message: `no "lat" and "lon"; ${sawMembers(aircraft)}` } : undefined
}

/** Members of the position that are there, and are neither what they should be nor the receiver's word for unknown. */
function unreadParts(aircraft: Fields): string[] {
  const parts = {
    altitude: [aircraft.alt_baro, aircraft.altitude, aircraft.alt_geom],
    speed: [aircraft.gs, aircraft.speed],
    track: [aircraft.track],
    verticalRate: [aircraft.baro_rate, aircraft.geom_rate, aircraft.vert_rate],
  }
  return Object.entries(parts)
    .filter(([, values]) =>
      values.some((value) => isGiven(value) && value !== 'ground' && findNumber(value) === undefined),
    )
    .map(([part]) => part)
}
