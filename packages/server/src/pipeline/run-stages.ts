/**
 * Runs all stages once for the reports of one device.
 * In: reports in order. Out: nothing; StageError with the name of the stage that failed. Other errors are not caused by
 * the reports.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { PipelineReport, Stage } from './stage.ts'

export interface RunStagesOptions {
  stages: readonly Stage[]
  devices: DeviceRegistry
  clock: Clock
  /** No stage starts after this time, because another process may then have leased the queue. */
  leasedUntilMs: number
}

/**
 * If the device was read longer ago, it is read again before the next stage, so that changes by the user apply soon.
 */
const maxDeviceAgeMs = 100

export async function runStages(
  reports: PipelineReport[],
  { stages, devices, clock, leasedUntilMs }: RunStagesOptions,
): Promise<void> {
  let readAtMs = clock.now()
  for (const stage of stages) {
    if (clock.now() - readAtMs > maxDeviceAgeMs) {
      await refresh(reports, devices)
      readAtMs = clock.now()
    }
    if (clock.now() >= leasedUntilMs) throw new Error(`The lease ran out before the stage "${stage.name}"`)
    try {
      const running = stage.run(reports)
      if (running) await running
    } catch (cause) {
      // An unavailable store is not a failure of the report: the queue is leased again later.
      if (cause instanceof ApiError && cause.code === 'unavailable') throw cause
      throw new StageError(`Stage "${stage.name}" threw: ${messageOf(cause)}`, { cause })
    }
  }
}

/** The message is the reason with which the report is buried. */
export class StageError extends Error {
  override readonly name = 'StageError'
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

async function refresh(reports: PipelineReport[], devices: DeviceRegistry): Promise<void> {
  const urn = reports[0]?.device.id
  const device = urn === undefined ? undefined : await devices.find(urn)
  // The device was just removed; the reports keep the old record until this lease ends.
  if (!device) return
  for (const report of reports) report.device = device
}
