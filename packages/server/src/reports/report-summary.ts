/**
 * Summarises a report for the built-in stages: a few kB, while the parsed report takes hundreds of kB.
 * In: a valid report. Out: its summary. The ingest has parsed the report, makes the summary, and appends it with the
 * log entry. The pipeline makes the summary when a leased entry has none. See docs/decisions/0032-report-summaries.md.
 */
import { hash } from 'node:crypto'
import { toEpochMs } from '@posrep/air/standard'
import type { PositionData, PositionReport } from '@posrep/spec'
import type { ReportSummary } from '../ports/report-summary.ts'
import { toIdentityText } from './identity-text.ts'

export function summarise({ sensor, positions }: PositionReport, isMended: boolean): ReportSummary {
  const keys: string[] = []
  let isMapped = true
  let isWithoutOffset = false
  let earliestMs = Number.POSITIVE_INFINITY
  let latestMs = Number.NEGATIVE_INFINITY
  for (const position of positions) {
    const timeMs = toEpochMs(position.sourceTimeStamp)
    if (timeMs < earliestMs) earliestMs = timeMs
    if (timeMs > latestMs) latestMs = timeMs
    keys.push(toKey(position.id, timeMs))
    isMapped &&= hasMapContent(position)
    isWithoutOffset ||= !hasOffset(position.sourceTimeStamp)
  }
  const sensorDatum = sensor?.sensorPosition?.altitude?.datum
  const identityText = toIdentityText(positions)
  return {
    sensorId: sensor?.id,
    positions: positions.length,
    isMended,
    isMapped,
    isWithoutOffset,
    sensorDatum,
    earliestMs,
    latestMs,
    keys,
    identityText,
  }
}

const longId = 44

/** Positions are remembered by their keys, so a long id is in it as a hash. */
function toKey(id: string, timeMs: number): string {
  return `${timeMs} ${id.length > longId ? hash('sha256', id, 'base64') : id}`
}

/** An object on the ground needs no velocity. */
function hasMapContent({ target, altitudes, groundVelocity, onGround }: PositionData): boolean {
  const moving = groundVelocity?.x !== undefined && groundVelocity.y !== undefined && groundVelocity.z !== undefined
  const identified = target?.ids?.some(({ type }) => type !== undefined) === true
  return identified && (altitudes?.length ?? 0) > 0 && (moving || onGround === true)
}

function hasOffset(time: string): boolean {
  return /[Zz]$|[+-]\d\d:\d\d$/.test(time)
}
