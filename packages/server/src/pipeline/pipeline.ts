/**
 * Runs the stages for accepted reports from the log, in order per device.
 * In: the report log. Out: what the stages write. A report that fails in a stage is buried with the reason, and the
 * pipeline continues with the next report.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import { type FollowedLease, type Follower, followLog } from '../logs/follow-log.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Mend } from '../ports/mend.ts'
import type { Meter } from '../ports/meter.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { LogEntry, ReportLog, Settlement } from '../ports/storage/log.ts'
import { toPipelineReport } from './pipeline-report.ts'
import { messageOf, runStages, StageError } from './run-stages.ts'
import type { PipelineReport, Stage } from './stage.ts'

export interface PipelineOptions {
  reportLog: ReportLog
  devices: DeviceRegistry
  stages: readonly Stage[]
  mend: Mend
  clock: Clock
  meter: Meter
  logger: Logger
}

/** A report is buried after this many failed attempts. Between attempts, only the queue of its device waits. */
const maxAttempts = 3
const retryDelayMs = 200
const leaseMs = 30_000
/** Under load (see `FollowOptions`): a few milliseconds. */
const iterationsBeforeLease = 16
/**
 * Devices that are processed at the same time. Many, so that many writes share a commit even if each device has only
 * one report.
 */
const queues = 128
/**
 * When reports run one by one, none starts later than this after the first. The others are processed in the next lease.
 */
const oneByOneMaxMs = 20_000

/** Why such a report is buried. It is neither shown to the new account nor sent to its relay. */
const formerOwner = 'It was accepted for a device of another account, which had this URN before'

/** How the entries of a lease ended. */
interface Ended {
  accepted: number[]
  buried: { seq: number; reason: string }[]
  positions: number
  retryAtMs?: number
}

export function startPipeline(options: PipelineOptions): Follower {
  const { reportLog, devices, stages, mend, clock, meter, logger } = options
  /** Key: queue. Value: the seq of its first report, which failed when it ran alone, and how often. */
  const failures = new Map<string, { seq: number; times: number }>()

  async function work(lease: FollowedLease, stopping: AbortSignal): Promise<Settlement> {
    const { queue, entries } = lease
    const device = await devices.find(queue)
    const ended = device ? await runOwn(lease, device, stopping) : buryAll(lease, noDevice(queue))
    const { accepted, buried, positions, retryAtMs } = ended
    for (const { seq, reason } of buried) logger.error({ device: queue, seq, reason }, 'report buried')
    meter.buried('report', buried.length)
    const lagMs = clock.now() - (entries[0]?.appendedAtMs ?? clock.now())
    meter.processed(accepted.length + buried.length, positions, lagMs)
    return { accepted, buried, ...(retryAtMs !== undefined && { retryAtMs }) }
  }

  function buryAll({ queue, entries }: FollowedLease, reason: string): Ended {
    failures.delete(queue)
    return { accepted: [], buried: entries.map(({ seq }) => ({ seq, reason })), positions: 0 }
  }

  /** Buries what was accepted for another account's device, which had this URN before, and runs the other reports. */
  async function runOwn(lease: FollowedLease, device: DeviceRecord, stopping: AbortSignal): Promise<Ended> {
    const { entries } = lease
    const [oldest] = entries
    const isOlder = oldest !== undefined && oldest.appendedAtMs < device.createdAtMs
    if (!isOlder || !(await devices.isOfFormerOwner(device, oldest.appendedAtMs))) {
      return runBatch(lease, device, stopping)
    }
    const [former = [], own = []] = [true, false].map((isBefore) =>
      entries.filter(({ appendedAtMs }) => appendedAtMs < device.createdAtMs === isBefore),
    )
    const { buried } = buryAll({ ...lease, entries: former }, formerOwner)
    if (own.length === 0) return { accepted: [], buried, positions: 0 }
    const ended = await runBatch({ ...lease, entries: own }, device, stopping)
    return { ...ended, buried: [...buried, ...ended.buried] }
  }

  /**
   * Runs all reports together, which is fast. If a stage throws, runs them one by one to find the report that fails.
   */
  async function runBatch(lease: FollowedLease, device: DeviceRecord, stopping: AbortSignal): Promise<Ended> {
    const { queue, entries, leasedUntilMs } = lease
    if (failures.has(queue)) return runOneByOne(lease, stopping)
    try {
      const reports = entries.map((entry) => read(entry, device))
      await runStages(reports, { stages, devices, clock, leasedUntilMs })
      const positions = reports.reduce((sum, { summary }) => sum + summary.positions, 0)
      return { accepted: entries.map(({ seq }) => seq), buried: [], positions }
    } catch (error) {
      if (!(error instanceof StageError)) throw error
      return runOneByOne(lease, stopping)
    }
  }

  async function runOneByOne(lease: FollowedLease, stopping: AbortSignal): Promise<Ended> {
    const { queue, entries } = lease
    const startedAtMs = clock.now()
    const ended: Ended = { accepted: [], buried: [], positions: 0 }
    for (const entry of entries) {
      if (stopping.aborted || clock.now() - startedAtMs > oneByOneMaxMs) break
      let alone: Awaited<ReturnType<typeof runAlone>>
      try {
        alone = await runAlone(lease, entry)
      } catch (error) {
        // Settle the reports that have ended. If the store is still unavailable, the next lease throws the error.
        if (ended.accepted.length + ended.buried.length === 0) throw error
        break
      }
      const { report, failure } = alone
      const times = timesFailed(queue, entry) + 1
      if (failure !== undefined && times < maxAttempts) {
        failures.set(queue, { seq: entry.seq, times })
        return { ...ended, retryAtMs: clock.now() + retryDelayMs }
      }
      failures.delete(queue)
      ended.positions += report?.summary.positions ?? 0
      if (failure === undefined) ended.accepted.push(entry.seq)
      else {
        if (report) for (const stage of stages) stage.forget?.(report)
        ended.buried.push({ seq: entry.seq, reason: failure })
      }
    }
    return ended
  }

  async function runAlone(
    { queue, leasedUntilMs }: FollowedLease,
    entry: LogEntry,
  ): Promise<{ report?: PipelineReport; failure?: string }> {
    let report: PipelineReport | undefined
    try {
      const device = await devices.find(queue)
      if (!device) return { failure: noDevice(queue) }
      report = read(entry, device)
      await runStages([report], { stages, devices, clock, leasedUntilMs })
      return { report }
    } catch (error) {
      if (!(error instanceof StageError)) throw error
      return { ...(report && { report }), failure: error.message }
    }
  }

  function timesFailed(queue: string, { seq }: LogEntry): number {
    const failure = failures.get(queue)
    return failure?.seq === seq ? failure.times : 0
  }

  function read(entry: LogEntry, device: DeviceRecord): PipelineReport {
    try {
      return toPipelineReport(entry, device, mend)
    } catch (cause) {
      throw new StageError(`The entry cannot be read: ${messageOf(cause)}`, { cause })
    }
  }

  return followLog({
    log: reportLog,
    clock,
    queues,
    entries: 100,
    leaseMs,
    iterationsBeforeLease,
    work,
    onError: (error) => logger.error({ err: error }, 'report log failed; retrying in 1 s'),
  })
}

/** The device was removed after its reports had been accepted. */
function noDevice(queue: string): string {
  return `The device "${queue}" does not exist any more`
}
