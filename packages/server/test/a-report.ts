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

/** The text of a report of this size. It is padded inside, because blanks at the end are not stored everywhere. */
export function aLargeReport(bytes: number): string {
  const textOf = (padding: string) =>
    JSON.stringify(aReport({ positions: [aPosition({ additionalInfo: { padding } })] }))
  return textOf('x'.repeat(bytes - textOf('').length))
}

export function aReport(report: Partial<PositionReport> & Record<string, unknown> = {}): PositionReport {
  return { positions: [aPosition()], ...report }
}
