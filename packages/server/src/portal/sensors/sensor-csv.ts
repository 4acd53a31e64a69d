/**
 * Parses the CSV (RFC 4180) of sensors that a user pastes into the portal.
 * In: text whose first line names the columns. Out: the sensors with their line numbers, and the errors by line.
 */
import type { NewSensor } from '@posrep/spec'
import { CsvError, parse } from 'csv-parse/sync'

export interface SensorCsv {
  sensors: NewSensor[]
  /** The line number of each sensor, from 1. */
  lines: number[]
  wrong: string[]
}

const columns = ['local_id', 'client_id', 'name']
const maxSensors = 1_000
const maxLines = 2_000
/** A local ID, a client and a name, each of the longest and quoted. */
const longestLine = 1_500

export function readSensorCsv(text: string): SensorCsv {
  // Names have no line breaks, so that lines are sensors; some are empty.
  if (text.split(/\r\n?|\n/, maxLines + 1).length > maxLines) {
    return refused(`The list may have at most ${maxSensors} sensors, and ${maxLines} lines`)
  }
  try {
    const rows: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      columns: checkColumns,
      info: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      max_record_size: longestLine,
    })
    if (rows.length === 0) return refused('The list has no sensors; write the first one below the column names')
    if (rows.length > maxSensors) return refused(`The list may have at most ${maxSensors} sensors, got ${rows.length}`)
    return {
      sensors: rows.map(({ record }) => toSensor(record)),
      lines: rows.map(({ info }) => info.lines),
      wrong: rows.flatMap(({ record: { local_id: localId, name = '' }, info: { lines: line } }) => {
        const problem = findNameProblem(name)
        if (localId === '') return [`Line ${line}: the local ID is missing`]
        return problem === undefined ? [] : [`Line ${line}: the name ${problem}`]
      }),
    }
  } catch (error) {
    if (error instanceof ColumnsError) return refused(error.message)
    if (error instanceof CsvError) return refused(`Line ${error.lines ?? '?'}: ${error.message}`)
    throw error
  }
}

/** The rule of the OpenAPI document for names. */
export function findNameProblem(name: string): string | undefined {
  return name.length <= 100 && !/\p{Cc}|\p{Cs}/u.test(name)
    ? undefined
    : 'must have at most 100 characters and no line break'
}

class ColumnsError extends Error {
  override readonly name = 'ColumnsError'
}

function checkColumns(names: string[]): string[] {
  const lower = names.map((name) => name.trim().toLowerCase())
  const unknown = lower.filter((name) => !columns.includes(name))
  if (lower.includes('local_id') && unknown.length === 0 && new Set(lower).size === lower.length) return lower
  throw new ColumnsError(
    `The first line must name the columns: "local_id", and optionally "client_id" and "name", got "${names.join(',').slice(0, 100)}"`,
  )
}

function toSensor({ local_id: clientUniqueId = '', client_id: clientId = '', name = '' }: Record<string, string>) {
  return { clientUniqueId, ...(clientId !== '' && { clientId }), ...(name !== '' && { name }) }
}

function refused(reason: string): SensorCsv {
  return { sensors: [], lines: [], wrong: [reason] }
}
