/**
 * Takes reports of one device through the stages, once.
 * In: reports in their order. Out: nothing, or StageError, which says at which stage it ended. What else is thrown is no
 * fault of the reports.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { PipelineReport, Stage } from './stage.ts'

export interface RunStagesOptions {
  stages: readonly Stage[]
  devices: DeviceRegistry
  clock: Clock
  /** No stage begins later: another process may have these reports by then, and those behind them. */
  leasedUntilMs: number
}

/** A stage that begins later than this gets the device as it is by then: what a user switches takes effect at once. */
const freshForMs = 100

export async function runStages(
  reports: PipelineReport[],
  { stages, devices, clock, leasedUntilMs }: RunStagesOptions,
): Promise<void> {
  let readAtMs = clock.now()
  for (const stage of stages) {
    if (clock.now() - readAtMs > freshForMs) {
      await refresh(reports, devices)
      readAtMs = clock.now()
    }
    if (clock.now() >= leasedUntilMs) throw new Error(`The lease ran out before the stage "${stage.name}"`)
    try {
      const running = stage.run(reports)
      if (running) await running
    } catch (cause) {
      // An unavailable store is no fault of the report: its queue is leased again later.
      if (cause instanceof ApiError && cause.code === 'unavailable') throw cause
      throw new StageError(`Stage "${stage.name}" threw: ${messageOf(cause)}`, { cause })
    }
  }
}

/** The reason of a burial is its message. */
export class StageError extends Error {
  override readonly name = 'StageError'
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

async function refresh(reports: PipelineReport[], devices: DeviceRegistry): Promise<void> {
  const urn = reports[0]?.device.id
  const device = urn === undefined ? undefined : await devices.find(urn)
  // One that has just been withdrawn: its reports end with this lease.
  if (!device) return
  for (const report of reports) report.device = device
}
