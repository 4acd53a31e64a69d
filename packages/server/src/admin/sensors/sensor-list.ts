/**
 * Parses the file of `sensors import`: CSV (RFC 4180) in UTF-8, `local_id,client_id,name`, one sensor per line.
 * In: bytes. Out: the sensors with their line numbers, and every unreadable line with the reason.
 * The header and the names are optional; spaces around a value are ignored.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { SettingsError } from '../../errors.ts'
import type { SensorEntry } from '../entries.ts'

export interface ListedSensor extends SensorEntry {
  /** From 1. */
  line: number
}

export interface BadLine {
  line: number
  reason: string
}

const header = 'local_id,client_id,name'

/** @throws SettingsError when the bytes are not UTF-8. */
export function readSensorList(bytes: Uint8Array): { sensors: ListedSensor[]; badLines: BadLine[] } {
  const sensors: ListedSensor[] = []
  const badLines: BadLine[] = []
  const lines = toText(bytes).split(/\r\n|\n|\r/)
  // Parses each line alone (no value may contain a line break), so that an open quote affects its own line only.
  lines.forEach((text, index) => {
    const line = index + 1
    try {
      const [values] = parse(text, { trim: true })
      if (!values || (line === 1 && isHeader(values))) return
      const [localId = '', client = '', name = '', ...rest] = values
      if (values.length < 2 || rest.length > 0) badLines.push({ line, reason: wrongColumns(values.length) })
      else sensors.push({ line, localId, client, ...(name !== '' && { name }) })
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      badLines.push({ line, reason: toReason(error) })
    }
  })
  return { sensors, badLines }
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SettingsError('The file is not in UTF-8; save it as "CSV UTF-8"', { cause })
  }
}

function isHeader(values: string[]): boolean {
  return `${header},`.startsWith(`${values.join(',').toLowerCase()},`) && values.length > 1
}

function wrongColumns(count: number): string {
  return `has ${count === 1 ? '1 value' : `${count} values`}, not the 2 or 3 of "${header}", separated by commas`
}

function toReason({ code }: CsvError): string {
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'a quote is not closed on its line'
    : 'a quote is in the middle of a value; quote the whole value and double the quotes in it'
}
