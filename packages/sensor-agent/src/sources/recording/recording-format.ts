/**
 * Reads the lines of a recording, whatever source it was made of.
 * In: lines. Out: positions with the recorded times. The format is found in the first line that shows it: SBS lines, or
 * JSON, one value per line or over several, with snapshots of aircraft.json, single aircraft (with `now` or `t`),
 * Remote ID messages, or positions.
 */
import type { PositionData } from '@posrep/spec'
import { toReason } from '../../errors.ts'
import { checkPositionJson } from '../../positions.ts'
import { createAircraftJsonMapper } from '../adsb/aircraft-json.ts'
import { createSbsMapper } from '../adsb/sbs.ts'
import { findFields, findNumber } from '../fields.ts'
import { createJsonAssembler } from '../lines/json-assembler.ts'
import { type MapperListener, quote } from '../reasons.ts'
import { createRemoteIdMapper } from '../remote-id/remote-id.ts'

export interface RecordingReader {
  /** The positions of a line; none for one that cannot be read. */
  read(line: string): PositionData[]
  /** A last line without its line end, which may be cut off. */
  readCut(line: string): PositionData[]
  /** The recording has ended. */
  end(): void
}

export interface RecordingOptions extends MapperListener {
  /** Of SBS lines. */
  timeZone: string
}

/** Of the 22 fields of an SBS line: what ends before this one may be cut off within its longitude. */
const wholeFields = 18

export function createRecordingReader({
  timeZone,
  onUnusable = () => undefined,
  ...listener
}: RecordingOptions): RecordingReader {
  let number = 0
  const options: MapperListener = {
    ...listener,
    onUnusable: (reason, message) => onUnusable(reason, `line ${number}: ${message}`),
  }
  const assembler = createJsonAssembler((message) => onUnusable('unreadable', message))
  let toSbs: ((line: string) => PositionData | undefined) | undefined
  let toPositions: ((value: unknown) => PositionData[]) | undefined

  return {
    read(line) {
      number += 1
      return read(line)
    },
    readCut(line) {
      number += 1
      if (!toSbs || line.split(',').length >= wholeFields) return read(line)
      onUnusable('unreadable', `line ${number}: the last line is cut off: ${quote(line)}`)
      return []
    },
    end: assembler.end,
  }

  function read(line: string): PositionData[] {
    const text = line.trim()
    // A comment is no input.
    if (text === '' || text.startsWith('#')) return []
    if (!toPositions && /^(?:MSG|MLAT|SEL|ID|AIR|STA|CLK),/.test(text))
      toSbs ??= createSbsMapper({ ...options, timeZone }).map
    if (toSbs) return [toSbs(text)].filter((position) => position !== undefined)
    return assembler.add(text, `line ${number}`).flatMap(fromValue)
  }

  function fromValue(value: unknown): PositionData[] {
    toPositions ??= findReader(value, options)
    if (toPositions) return toPositions(value)
    options.onUnusable?.(
      'unreadable',
      `neither aircraft, Remote ID messages nor positions: ${quote(JSON.stringify(value))}`,
    )
    return []
  }
}

/** Undefined for a value that does not show its format. */
function findReader(value: unknown, options: MapperListener): ((value: unknown) => PositionData[]) | undefined {
  const first = findFields(Array.isArray(value) ? value[0] : value)
  const has = (...names: string[]) => first !== undefined && names.some((name) => name in first)
  if (has('sourceTimeStamp')) return (value) => toPosition(value, options)
  if (
    has('uas_id', 'current_state', 'flights', 'Basic ID', 'Location/Vector Message', 'uav id', 'basic_id', 'drone_lat')
  ) {
    return createRemoteIdMapper(options).map
  }
  if (!has('aircraft', 'ac', 'hex', 'icao')) return undefined
  const mapper = createAircraftJsonMapper(options)
  // Without a time of its own a snapshot cannot be placed in the recording, so it counts as recorded at the epoch.
  return (value) => mapper.map(toSnapshot(value), 0)
}

function toPosition(value: unknown, { onUnusable }: MapperListener): PositionData[] {
  try {
    // It was just found to be one.
    return [JSON.parse(checkPositionJson(JSON.stringify(value), 'position')) as PositionData]
  } catch (error) {
    onUnusable?.('invalid_position', toReason(error))
    return []
  }
}

/** A line with one aircraft is a snapshot of one. `t` is its time, or, in lines of readsb, its type. */
function toSnapshot(value: unknown): unknown {
  const fields = findFields(value)
  if (!fields || Array.isArray(fields.aircraft) || Array.isArray(fields.ac)) return value
  if (!('hex' in fields) && !('icao' in fields)) return value
  return { now: fields.now ?? (findNumber(fields.t) === undefined ? undefined : fields.t), aircraft: [fields] }
}
