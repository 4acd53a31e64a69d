/**
 * Finds the positions that a device has reported before: the same id with the same time.
 * In: reports of one device. Out: the tag `duplicate`, and the indexes of the repeated positions in `duplicates`. The
 * stage discards nothing: repeated reports are stored and relayed unchanged. Receivers recognise them by tag and
 * `webhook-id`.
 */
import { createLimit } from '../../concurrency/limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mend } from '../../ports/mend.ts'
import type { RecentReports } from '../../ports/storage/recent-reports.ts'
import { toPipelineReport } from '../pipeline-report.ts'
import type { PipelineReport, Stage } from '../stage.ts'
import { createSeenPositions, type SeenOfDevice, type SeenPositionsOptions } from './seen-positions.ts'

export interface DeduplicateOptions {
  recentReports: RecentReports
  clock: Clock
  metricWindowMs: number
  mend: Mend
  limits?: SeenPositionsOptions
}

/**
 * Limits of the recent reports that are read when this process sees a device for the first time. Only one page is read,
 * so their size is limited, too.
 */
const warmUpReports = 100
const warmUpPositions = 2_000
/** Devices whose reports are read at the same time. After a start, all devices are seen for the first time. */
const maxWarmingUp = 8

export function deduplicate({ recentReports, clock, metricWindowMs, mend, limits }: DeduplicateOptions): Stage {
  const seen = createSeenPositions(limits)
  const limitReads = createLimit({ maxRunning: maxWarmingUp })

  /** Remembers the positions of reports that an earlier process or another process has stored. */
  async function warmUp({ device }: PipelineReport): Promise<SeenOfDevice> {
    const { entries } = await recentReports.list(device.id, {
      sinceMs: clock.now() - metricWindowMs,
      limit: warmUpReports,
    })
    let positions = 0
    const known = entries.filter((entry) => (positions += entry.positions) <= warmUpPositions)
    const ofDevice = seen.addDevice(device.id)
    // The list is newest first; here the oldest comes first, so that a repeated position keeps its first seq.
    for (const { seq, receivedAtMs, report: body } of known.reverse()) {
      const { summary } = toPipelineReport({ seq, appendedAtMs: receivedAtMs, body }, device, mend)
      for (const key of summary.keys) ofDevice.remember(key, seq)
    }
    return ofDevice
  }

  return {
    name: 'de-duplicate',
    run(reports) {
      const [first] = reports
      if (!first) return undefined
      const known = seen.findDevice(first.device.id)
      if (!known) return limitReads('warm-up', () => warmUp(first)).then((ofDevice) => tag(reports, ofDevice))
      return tag(reports, known)
    },
    forget({ device, seq, summary }) {
      const ofDevice = seen.findDevice(device.id)
      for (const key of summary.keys) ofDevice?.forget(key, seq)
    },
  }
}

function tag(reports: readonly PipelineReport[], ofDevice: SeenOfDevice): void {
  for (const report of reports) {
    const duplicates = findDuplicates(report, ofDevice)
    if (duplicates.size === 0) continue
    report.duplicates = duplicates
    report.tags.add('duplicate')
  }
}

const none: ReadonlySet<number> = new Set()

function findDuplicates(report: PipelineReport, seen: SeenOfDevice): ReadonlySet<number> {
  const { seq, summary } = report
  let found: Set<number> | undefined
  let hasOwnSeq = false
  let index = 0
  for (const key of summary.keys) {
    const firstSeq = seen.remember(key, seq)
    if (firstSeq === seq) hasOwnSeq = true
    else if (firstSeq !== undefined) (found ??= new Set()).add(index)
    index++
  }
  // A key already had the seq of this report: the report is processed again, or it contains a position twice.
  if (!hasOwnSeq) return found ?? none
  return new Set([...(found ?? []), ...findRepeated(report)])
}

/** Returns the indexes of positions that also occur earlier in the same report. */
function findRepeated({ summary }: PipelineReport): number[] {
  const earlier = new Set<string>()
  return summary.keys.flatMap((key, index) => {
    const isRepeated = earlier.has(key)
    earlier.add(key)
    return isRepeated ? [index] : []
  })
}
