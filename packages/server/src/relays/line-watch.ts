/**
 * Where the messages of a leased line go.
 * In: the registry, and what is announced of updates in this process. Out: the device as it is, and what gives up what is
 * on its way when the relay is set anew.
 */
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import type { GivingUp } from './giving-up.ts'
import type { UnderWay } from './under-way.ts'

/** What is known of a line's relay, and what gives up what goes there. */
export interface Destination {
  device: DeviceRecord | undefined
  givingUp: GivingUp
}

export interface LineWatch {
  /** To be asked before each attempt: the very object that was found, or `undefined` when it has to be found anew. */
  recall(): Destination | undefined
  /** What it says is at most `recallMs` old, and older than no update in this process. */
  find(): Promise<Destination>
  /** The next one is read. */
  forget(): void
  end(): void
}

export interface LineWatchOptions {
  devices: Pick<DeviceRegistry, 'find'>
  underWay: UnderWay
  clock: Clock
  recallMs: number
}

export function watchLine(line: string, { devices, underWay, clock, recallMs }: LineWatchOptions): LineWatch {
  let announced = underWay.begin(line)
  let known: Destination | undefined
  let readAtMs = 0

  return {
    recall: () => (announced.givingUp.isGivenUp || clock.now() - readAtMs >= recallMs ? undefined : known),
    async find() {
      if (announced.givingUp.isGivenUp) {
        announced.end()
        announced = underWay.begin(line)
      }
      const { givingUp } = announced
      readAtMs = clock.now()
      known = { device: await devices.find(line), givingUp }
      return known
    },
    forget() {
      known = undefined
    },
    end: () => announced.end(),
  }
}
