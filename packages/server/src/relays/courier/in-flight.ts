/**
 * Tracks the devices that this process delivers for, so that an update of a relay can abort attempts to the old
 * address.
 * In: the device registry, and the updates that other processes announce. Out: the current device record, with a signal
 * that aborts as soon as the relay is updated.
 */
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { RelayChanges } from '../../ports/storage/relay-changes.ts'

export interface Destination {
  /** `undefined` when the device does not exist any more. */
  device: DeviceRecord | undefined
  /** Aborts when `device` is out of date, and when the courier stops. */
  signal: AbortSignal
}

export interface DeviceInFlight {
  /** Call it before each attempt. The record is at most `deviceCacheMs` old, and newer than every announced update. */
  find(): Promise<Destination>
  end(): void
}

export interface InFlight {
  /** Call it when this process has leased the device's queue. */
  begin(deviceUrn: string): DeviceInFlight
  /**
   * Aborts the attempt in flight for the device, in every process. Attempts that start later read the device first.
   * @throws ApiError `unavailable`
   */
  abort(deviceUrn: string): Promise<void>
  /** Aborts all attempts of this process. */
  abortAll(): void
}

export interface InFlightOptions {
  devices: Pick<DeviceRegistry, 'find'>
  clock: Clock
  /** Present when other processes also update relays. */
  changes?: RelayChanges | undefined
  /**
   * How long a device record is cached. Default: 0 if other processes also update relays. Otherwise 250, because
   * changes by operator commands are not announced and should take effect soon.
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

  /** Call it before the device is read, so that an update during the read aborts the signal. */
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
          // Another lease of the same queue may have started.
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
