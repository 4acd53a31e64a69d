/** Follows the reports that the processes of a service store: for tools, which run beside them. */
import type { RecentEntry } from './recent-reports.ts'

export interface FeedReport extends RecentEntry {
  deviceUrn: string
}

export interface ReportFeed {
  /**
   * A page of the reports that were stored since the page before, those of a device in the order of acceptance; empty
   * when there are no more at present. Each report is returned once.
   */
  next(): Promise<FeedReport[]>
}

/** Resolves when the feed has its start: it has the reports, of one device or of all, that are stored from then on. */
export type OpenReportFeed = (deviceUrn?: string) => Promise<ReportFeed>
