/**
 * Finds the texts of reports: in the entry, in the memory of this process, or in the recent reports.
 * In: reports. Out: the same with their texts, in order; those whose text is gone are left out and counted.
 */
import type { RecentReports } from '../../ports/storage/recent-reports.ts'
import type { AirReport } from '../log/air-entry.ts'
import type { RecentTexts } from '../log/recent-texts.ts'
import type { ThreadReport } from '../thread/messages.ts'

export interface ReportTexts {
  /** @throws ApiError `unavailable` */
  read(reports: readonly AirReport[]): Promise<{ found: ThreadReport[]; missing: number }>
}

export interface ReportTextsOptions {
  recentTexts: Pick<RecentTexts, 'take'>
  recentReports: Pick<RecentReports, 'read'>
}

export function createReportTexts({ recentTexts, recentReports }: ReportTextsOptions): ReportTexts {
  async function readStored(reports: readonly AirReport[]): Promise<Map<number, string | undefined>> {
    const texts = new Map<number, string | undefined>()
    for (const [deviceUrn, ofDevice] of Map.groupBy(reports, (report) => report.deviceUrn)) {
      const read = await recentReports.read(deviceUrn, ofDevice)
      for (const [index, { seq }] of ofDevice.entries()) texts.set(seq, read[index])
    }
    return texts
  }

  return {
    async read(reports) {
      const texts = reports.map(({ seq, text }) => text ?? recentTexts.take(seq))
      const stored = await readStored(reports.filter((_, index) => texts[index] === undefined))
      const found = reports.flatMap((report, index): ThreadReport[] => {
        const text = texts[index] ?? stored.get(report.seq)
        return text === undefined ? [] : [{ ...report, text }]
      })
      return { found, missing: reports.length - found.length }
    },
  }
}
