/**
 * The devices that this process delivers for right now, so that an update of a relay can abort what is sent to the
 * earlier address.
 * In: the device registry, and the updates that other processes announce. Out: the device as it is, with a signal that
 * aborts as soon as its relay is updated.
 */
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/directory.ts'
import type { RelayChanges } from '../../ports/relay-changes.ts'

export interface Destination {
  /** `undefined` when the device is gone. */
  device: DeviceRecord | undefined
  /** Aborts when `device` is out of date, and when the courier stops. */
  signal: AbortSignal
}

export interface DeviceInFlight {
  /** Asked before each attempt. The device is at most `deviceCacheMs` old, and newer than every announced update. */
  find(): Promise<Destination>
  end(): void
}

export interface InFlight {
  /** For as long as this process holds the device's queue. */
  begin(deviceUrn: string): DeviceInFlight
  /**
   * Ends the attempt that is in flight for the device, in every process. Attempts that begin later read the device first.
   * @throws ApiError `unavailable`
   */
  abort(deviceUrn: string): Promise<void>
  /** Ends all attempts of this process. */
  abortAll(): void
}

export interface InFlightOptions {
  devices: Pick<DeviceRegistry, 'find'>
  clock: Clock
  /** Present where other processes update relays, too. */
  changes?: RelayChanges | undefined
  /**
   * How long a device that was read counts as unchanged. Default: 250 where this process is the only one, beside commands,
   * which may take a second to have their effect; 0 where other processes answer updates.
   */
  deviceCacheMs?: number
}

export function createInFlight({
  devices,
  clock,
  changes,
  deviceCacheMs = changes ? 0 : 250,
}: InFlightOptions): InFlight {
  const controllers = new Map<string, AbortController>()
  const abortHere = (deviceUrn: string) => controllers.get(deviceUrn)?.abort()
  changes?.listen(abortHere)

  /** Before the device is read: an update that comes while it is read aborts the signal. */
  function register(deviceUrn: string): AbortController {
    const controller = new AbortController()
    controllers.set(deviceUrn, controller)
    return controller
  }

  return {
    begin(deviceUrn) {
      let controller = register(deviceUrn)
      let known: Destination | undefined
      let readAtMs = 0
      return {
        async find() {
          if (controller.signal.aborted) controller = register(deviceUrn)
          const { signal } = controller
          if (known?.signal === signal && clock.now() - readAtMs < deviceCacheMs) return known
          readAtMs = clock.now()
          known = { device: await devices.find(deviceUrn), signal }
          return known
        },
        end() {
          // Another lease of the same queue may have begun.
          if (controllers.get(deviceUrn) === controller) controllers.delete(deviceUrn)
        },
      }
    },
    async abort(deviceUrn) {
      abortHere(deviceUrn)
      await changes?.announce(deviceUrn)
    },
    abortAll() {
      for (const controller of controllers.values()) controller.abort()
    },
  }
}
