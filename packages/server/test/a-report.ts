/** Builds reports for tests; a test gives the fields that matter to it. */
import type { PositionData, PositionReport } from '@posrep/spec'

export function aPosition(position: Partial<PositionData> & Record<string, unknown> = {}): PositionData {
  return {
    id: '461f9c-1767787230',
    sourceTimeStamp: '2026-01-07T12:00:30.250Z',
    position: { lat: 60.31721, lon: 24.9633 },
    ...position,
  }
}

export function aReport(report: Partial<PositionReport> & Record<string, unknown> = {}): PositionReport {
  return { positions: [aPosition()], ...report }
}
