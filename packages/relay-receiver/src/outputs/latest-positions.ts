/**
 * Keeps the latest position of each target, for a map or a table.
 * In: reports of relay messages. Out: the newest position of each target that was heard recently.
 */
import type { PositionData, PositionReport } from '@posrep/spec'
import { type Clock, systemClock } from '../ports.ts'
import type { Delivery } from '../request/delivery.ts'
import { toMs } from '../request/source-time.ts'

export interface LatestPositionsOptions {
  /** A target that was not heard for this time is removed, in ms. Default 60_000. */
  maxAgeMs?: number
  /** Beyond this number the target that was not heard for the longest time is removed. Default 10_000. */
  maxTargets?: number
  /** Default: the system clock. */
  clock?: Clock
}

export interface LatestPosition {
  /**
   * The target's ICAO address, such as `ICAO:461F9C`, or else its first identifier with its type. A target that only has the sensor's own
   * ID is `<device>/<sourceId>`.
   */
  target: string
  position: PositionData
  /** URN of the device that reported it. */
  device: string | undefined
  /** When the report arrived, in ms since the epoch. */
  receivedAtMs: number
}

export interface LatestPositions {
  /** Call it in `onReport`, or pass it as `onReport`. Positions of targets without any ID are ignored. */
  record(this: void, report: PositionReport, delivery: Pick<Delivery, 'device'>): void
  get(target: string): LatestPosition | undefined
  /** All targets, the one that was heard last at the end. */
  list(): LatestPosition[]
}

export function latestPositions({
  maxAgeMs = 60_000,
  maxTargets = 10_000,
  clock = systemClock,
}: LatestPositionsOptions = {}): LatestPositions {
  for (const [name, value] of Object.entries({ maxAgeMs, maxTargets })) {
    if (!(value >= 1)) throw new RangeError(`"${name}" must be at least 1, got ${value}`)
  }
  // In the order in which targets were heard, the longest unheard first.
  const latest = new Map<string, LatestPosition>()

  return {
    record({ positions }, { device }) {
      for (const position of positions) {
        const target = toTarget(position, device)
        if (target !== undefined) hear({ target, position, device, receivedAtMs: clock.now() })
      }
      removeOld()
    },
    get(target) {
      removeOld()
      return latest.get(target)
    },
    list() {
      removeOld()
      return [...latest.values()]
    },
  }

  /** A position that arrives after a newer one still shows that the target is heard. */
  function hear(heard: LatestPosition): void {
    const known = latest.get(heard.target)
    const isNewer = !known || timeOf(heard) >= timeOf(known)
    latest.delete(heard.target)
    latest.set(heard.target, isNewer ? heard : { ...known, receivedAtMs: heard.receivedAtMs })
  }

  function removeOld(): void {
    for (const { target, receivedAtMs } of latest.values()) {
      if (latest.size <= maxTargets && clock.now() - receivedAtMs <= maxAgeMs) return
      latest.delete(target)
    }
  }
}

function timeOf({ position }: LatestPosition): number {
  return toMs(position.sourceTimeStamp)
}

function toTarget({ target }: PositionData, device = ''): string | undefined {
  const identifier = target?.ids?.find(({ type }) => type === 'ICAO') ?? target?.ids?.[0]
  if (identifier) return `${identifier.type ?? 'ID'}:${identifier.id}`
  return target?.sourceId === undefined ? undefined : `${device}/${target.sourceId}`
}
