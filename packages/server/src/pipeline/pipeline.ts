/**
 * Takes accepted reports from the log through the stages, in order per device.
 * In: the report log. Out: what the stages wrote; a report that a stage cannot take is buried with the reason and the
 * others go on.
 */
import type { PositionReport } from '@posrep/spec'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { type Follower, followLog } from '../ports/follow-log.ts'
import type { Lease, ReportLog, Settlement } from '../ports/log.ts'
import type { Logger } from '../ports/logger.ts'
import type { Meter } from '../ports/meter.ts'
import type { PipelineReport, Stage } from './stage.ts'

export interface PipelineOptions {
  reportLog: ReportLog
  devices: DeviceRegistry
  stages: Stage[]
  clock: Clock
  meter: Meter
  logger: Logger
}

/** How often a report is tried alone before it is buried. */
const attempts = 3
const betweenAttemptsMs = 200
const leaseMs = 30_000
/** No report is taken up alone later than this in a lease; those that are left come with the next one. */
const aloneUntilMs = 20_000

/** How it went with a report that was tried alone; `left` when there was no time for another attempt. */
type Ending = { kind: 'accepted' } | { kind: 'buried'; reason: string } | { kind: 'left' }

export function startPipeline({ reportLog, devices, stages, clock, meter, logger }: PipelineOptions): Follower {
  async function runStages(reports: PipelineReport[]): Promise<void> {
    for (const stage of stages) {
      try {
        await stage.run(reports)
      } catch (cause) {
        // The store being away is no fault of the report: the line rests and comes again.
        if (cause instanceof ApiError && cause.code === 'unavailable') throw cause
        throw new StageError(`Stage "${stage.name}" threw: ${cause instanceof Error ? cause.message : String(cause)}`, {
          cause,
        })
      }
    }
  }

  async function runAlone(report: PipelineReport, stopping: AbortSignal): Promise<Ending> {
    for (let attempt = 1; !stopping.aborted; attempt++) {
      try {
        await runStages([report])
        return { kind: 'accepted' }
      } catch (error) {
        if (!(error instanceof StageError)) throw error
        if (attempt === attempts) return { kind: 'buried', reason: error.message }
        await clock.sleep(betweenAttemptsMs, stopping)
      }
    }
    return { kind: 'left' }
  }

  async function runOneByOne(reports: PipelineReport[], stopping: AbortSignal): Promise<Settlement> {
    const startedAtMs = clock.now()
    const accepted: number[] = []
    const buried: { seq: number; reason: string }[] = []
    for (const report of reports) {
      if (clock.now() - startedAtMs > aloneUntilMs) break
      const ending = await runAlone(report, stopping)
      if (ending.kind === 'left') break
      if (ending.kind === 'accepted') accepted.push(report.seq)
      else buried.push({ seq: report.seq, reason: ending.reason })
    }
    return { accepted, buried }
  }

  function tellBuried(line: string, buried: { seq: number; reason: string }[]): void {
    for (const { seq, reason } of buried) logger.error({ device: line, seq, reason }, 'report buried')
    meter.buried('report', buried.length)
  }

  async function work({ line, entries }: Lease, stopping: AbortSignal): Promise<Settlement> {
    const device = await devices.find(line)
    if (!device) {
      // Its registration was withdrawn after the report had been accepted.
      const buried = entries.map(({ seq }) => ({ seq, reason: `No device "${line}" any more` }))
      tellBuried(line, buried)
      return { accepted: [], buried }
    }
    const reports = entries.map(
      ({ seq, appendedAtMs, body }): PipelineReport => ({
        device,
        seq,
        receivedAtMs: appendedAtMs,
        text: body,
        // Validated against the document before it was logged.
        report: JSON.parse(body) as PositionReport,
        tags: new Set(),
      }),
    )
    const settlement = await settle(reports, stopping)
    const { accepted, buried = [] } = settlement
    tellBuried(line, buried)
    const ended = new Set([...accepted, ...buried.map(({ seq }) => seq)])
    const done = reports.filter(({ seq }) => ended.has(seq))
    const positions = done.reduce((sum, { report }) => sum + report.positions.length, 0)
    meter.processed(done.length, positions, clock.now() - (entries[0]?.appendedAtMs ?? clock.now()))
    return settlement
  }

  /** All together, which is quick; one by one if a stage threw, to find out at which. */
  async function settle(reports: PipelineReport[], stopping: AbortSignal): Promise<Settlement> {
    try {
      await runStages(reports)
      return { accepted: reports.map(({ seq }) => seq) }
    } catch (error) {
      if (!(error instanceof StageError)) throw error
      return runOneByOne(reports, stopping)
    }
  }

  return followLog({
    log: reportLog,
    clock,
    lines: 32,
    entries: 100,
    leaseMs,
    work,
    onError: (error) => logger.error({ err: error }, 'pipeline rests for a second'),
  })
}

class StageError extends Error {
  override readonly name = 'StageError'
}
