/**
 * Checks positions as the service does, and looks for likely mistakes.
 * In: the text of a file: a report, one position, an array, NDJSON, or what a receiver writes. Out: findings with line
 * and path. `error`: the service refuses the position. `warning`: it takes it, and it is probably wrong or incomplete.
 */
import { vPositionData, vSensorState } from '@posrep/spec/validators'
import { getDotPath, safeParse } from 'valibot'
import { lowerFirst } from '../../positions.ts'
import { type Fields, findFields, parseLine, withoutByteOrderMark } from '../../sources/fields.ts'
import { quote } from '../../sources/reasons.ts'
import { createRecordingReader } from '../../sources/recording/recording-format.ts'
import { findLikelyMistakes, findMissingMembers } from './likely-mistakes.ts'

export interface Finding {
  severity: 'error' | 'warning'
  /** Line of the file, from 1. Undefined when the whole file is one JSON text. */
  line?: number
  /** Path of the value, such as `positions[0].position.lon`. */
  path: string
  message: string
}

export interface LintResult {
  positions: number
  findings: Finding[]
  /** The file is what a receiver writes: the agent converts it. */
  isOfReceiver?: boolean
}

export function lintText(text: string): LintResult {
  const whole = parseLine(text)
  const result: LintResult = { positions: 0, findings: [] }
  if (isOfReceiver(whole ?? parseLine(text.slice(0, text.indexOf('\n'))), text)) return lintRecording(text)
  const ids = new Map<string, string>()
  if (whole !== undefined) lintValue(whole, undefined, result, ids)
  else lintLines(text, result, ids)
  if (result.positions === 0 && result.findings.length === 0)
    result.findings.push({ severity: 'error', path: '', message: 'the file contains no position' })
  return result
}

/** Whether it is what a receiver writes, which the agent converts. */
function isOfReceiver(first: unknown, text: string): boolean {
  const fields = findFields(Array.isArray(first) ? first[0] : first) ?? {}
  const isJson = [
    'aircraft',
    'ac',
    'hex',
    'icao',
    'uas_id',
    'current_state',
    'flights',
    'Basic ID',
    'Location/Vector Message',
  ].some((name) => name in fields)
  // aircraft.json as receivers write it has several lines.
  return isJson || /^\s*\{\s*"now"\s*:/.test(text) || /^\s*(?:MSG|MLAT|SEL|ID|AIR|STA|CLK),/.test(text)
}

/** Reads it as `run` does: what gives no position is an error, and what is left out of one a warning. */
function lintRecording(text: string): LintResult {
  const findings: Finding[] = []
  const partial = new Map<string, number>()
  const reader = createRecordingReader({
    timeZone: 'UTC',
    onUnusable(reason, message) {
      const [, line, why] = /^line (\d+): ([\s\S]*)$/.exec(message) ?? []
      const where = line === undefined ? {} : { line: Number(line) }
      findings.push({ severity: 'error', ...where, path: '', message: `${reason}: ${why ?? message}` })
    },
    onPartial: (part) => partial.set(part, (partial.get(part) ?? 0) + 1),
  })
  const lines = withoutByteOrderMark(text).split('\n')
  const positions = lines.reduce((sum, line) => sum + reader.read(line).length, 0)
  reader.end()
  for (const [part, count] of partial)
    findings.push({ severity: 'warning', path: '', message: `${count} positions without ${part}: it cannot be read` })
  if (positions === 0 && findings.length === 0)
    findings.push({ severity: 'warning', path: '', message: 'there is no position in it' })
  return { positions, findings, isOfReceiver: true }
}

function lintLines(text: string, result: LintResult, ids: Map<string, string>): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parseLine(line)
    if (value === undefined)
      result.findings.push({ severity: 'error', line: index + 1, path: '', message: `not JSON: ${quote(line)}` })
    else lintValue(value, index + 1, result, ids)
  }
}

function lintValue(value: unknown, line: number | undefined, result: LintResult, ids: Map<string, string>): void {
  const add = (finding: Omit<Finding, 'line'>) =>
    result.findings.push({ ...finding, ...(line !== undefined && { line }) })
  const report = findFields(value)
  if (report && 'positions' in report) {
    for (const { path, message } of issuesOf(vSensorState, report.sensor ?? { id: 'unnamed' }))
      add({ severity: 'error', path: join('sensor', path), message })
    if (!Array.isArray(report.positions) || report.positions.length === 0)
      return void add({ severity: 'error', path: 'positions', message: 'must be a list with at least one position' })
    for (const [index, position] of report.positions.entries()) lintPosition(position, `positions[${index}]`)
    return
  }
  if (Array.isArray(value)) for (const [index, position] of value.entries()) lintPosition(position, `[${index}]`)
  else lintPosition(value, '')

  function lintPosition(position: unknown, at: string): void {
    result.positions += 1
    const fields: Fields = findFields(position) ?? {}
    const mistakes = findLikelyMistakes(fields)
    for (const { path, message } of issuesOf(vPositionData, position)) {
      const hint = mistakes.find((mistake) => mistake.explains === path)
      add({ severity: 'error', path: join(at, path), message: hint ? `${message}; ${hint.message}` : message })
    }
    for (const { path, message, explains } of mistakes)
      if (explains === undefined) add({ severity: 'warning', path: join(at, path), message })
    const missing = findMissingMembers(fields)
    if (missing.length > 0)
      add({ severity: 'warning', path: at, message: `not shown on the map without ${missing.join(', ')}` })
    if (typeof fields.id !== 'string') return
    const before = ids.get(fields.id)
    const here = join(line === undefined ? '' : `line ${line}`, at)
    if (before !== undefined)
      add({ severity: 'warning', path: join(at, 'id'), message: `"${fields.id}" is also the id of ${before}` })
    ids.set(fields.id, before ?? (here === '' ? 'another position' : here))
  }
}

function issuesOf(
  schema: typeof vPositionData | typeof vSensorState,
  value: unknown,
): { path: string; message: string }[] {
  const { issues = [] } = safeParse(schema, value)
  return issues.map((issue) => ({
    path: getDotPath(issue) ?? '',
    message: toMessage(issue),
  }))
}

function toMessage({ type, received, message }: { type: string; received: string; message: string }): string {
  if (received === 'undefined') return 'is missing'
  // The document's patterns are too long for a message.
  return type === 'regex' ? `has the wrong format, got ${received}` : lowerFirst(message)
}

function join(at: string, path: string): string {
  return at === '' || path === '' ? at + path : `${at}.${path}`
}
