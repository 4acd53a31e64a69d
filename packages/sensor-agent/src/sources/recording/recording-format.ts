/**
 * Reads the lines of a recording, whatever source it was made of.
 * In: lines. Out: positions with the recorded times. The format is found in the first line that shows it: SBS lines, or JSON with one
 * snapshot of aircraft.json, one aircraft (with `now` or `t`), one Remote ID message, or one position per line.
 */
import type { PositionData } from '@posrep/spec'
import { vPositionData } from '@posrep/spec/validators'
import { is } from 'valibot'
import { createAircraftJsonMapper } from '../adsb/aircraft-json.ts'
import { createSbsMapper } from '../adsb/sbs.ts'
import { findFields, parseLine } from '../fields.ts'
import { createRemoteIdMapper } from '../remote-id/remote-id.ts'

/** Returns a line's positions; none for a line that cannot be read. */
export type ReadLine = (line: string) => PositionData[]

/** @param timeZone of SBS lines. */
export function createRecordingReader(timeZone: string): ReadLine {
  let read: ReadLine | undefined
  return (line) => {
    read ??= findReader(line.trim(), timeZone)
    return line.trim() === '' ? [] : (read?.(line) ?? [])
  }
}

/** Undefined for a line that does not show its format: a comment, the rest of a line that was cut off. */
function findReader(line: string, timeZone: string): ReadLine | undefined {
  if (/^(?:MSG|MLAT|SEL|ID|AIR|STA|CLK),/.test(line)) return sbsReader(timeZone)
  const value = parseLine(line)
  const first = findFields(Array.isArray(value) ? value[0] : value)
  const has = (...names: string[]) => first !== undefined && names.some((name) => name in first)
  if (has('sourceTimeStamp')) return toPositions
  if (has('uas_id', 'current_state', 'flights')) {
    const mapper = createRemoteIdMapper()
    return (line) => mapper.map(parseLine(line))
  }
  if (!has('aircraft', 'ac', 'hex')) return undefined
  const mapper = createAircraftJsonMapper()
  // Without a time of its own a snapshot cannot be placed in the recording, so it counts as recorded at the epoch.
  return (line) => mapper.map(toSnapshot(parseLine(line)), 0)
}

function sbsReader(timeZone: string): ReadLine {
  const mapper = createSbsMapper({ timeZone })
  return (line) => {
    const position = mapper.map(line)
    return position ? [position] : []
  }
}

function toPositions(line: string): PositionData[] {
  const value = parseLine(line)
  return is(vPositionData, value) ? [value as PositionData] : []
}

/** A line with one aircraft is a snapshot of one. */
function toSnapshot(value: unknown): unknown {
  const fields = findFields(value)
  return fields && 'hex' in fields ? { now: fields.now ?? fields.t, aircraft: [fields] } : value
}
