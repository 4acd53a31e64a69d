/**
 * Where the messages of a leased line go.
 * In: the registry, and what is announced of updates in this process. Out: the device as it is, and a signal that gives up
 * what is on its way when the relay is set anew.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import type { UnderWay } from './under-way.ts'

export interface LineWatch {
  /** To be asked before each attempt; what it says is at most `recallMs` old, and older than no update in this process. */
  find(): Promise<{ device: DeviceRecord | undefined; signal: AbortSignal }>
  /** The next `find` reads. */
  forget(): void
  end(): void
}

export interface LineWatchOptions {
  devices: Pick<DeviceRegistry, 'find'>
  underWay: UnderWay
  clock: Clock
  recallMs: number
  /** Gives up whatever is under way. */
  givingUp: AbortSignal
}

export function watchLine(line: string, options: LineWatchOptions): LineWatch {
  const { devices, underWay, clock, recallMs, givingUp } = options
  let announced = announce()
  let known: { device: DeviceRecord | undefined; readAtMs: number } | undefined

  function announce() {
    const { signal, end } = underWay.begin(line)
    return { updated: signal, signal: AbortSignal.any([signal, givingUp]), end }
  }

  return {
    async find() {
      if (announced.updated.aborted) {
        announced.end()
        announced = announce()
        known = undefined
      }
      const { signal } = announced
      const nowMs = clock.now()
      if (!known || nowMs - known.readAtMs >= recallMs) known = { device: await devices.find(line), readAtMs: nowMs }
      return { device: known.device, signal }
    },
    forget() {
      known = undefined
    },
    end: () => announced.end(),
  }
}
