/**
 * Keeps the latest position of each target, for a map or a table.
 * In: reports of relay messages. Out: the newest position of each target that was heard recently.
 */
import type { Identifier, PositionData, PositionReport } from '@posrep/spec'
import { toStandardIdentifiers } from '@posrep/spec/identifiers'
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
   * The target's ICAO address, such as `ICAO:461F9C`, or else its first identifier, with its type; both as the sensor
   * wrote them. A target that only has the sensor's own ID is `<device>/<sourceId>`.
   */
  target: string
  position: PositionData
  /** URN of the device that reported it. */
  device: string | undefined
  /** When the report arrived, in ms since the epoch. */
  receivedAtMs: number
}

export interface LatestPositions {
  /**
   * Call it in `onReport`, or pass it as `onReport`. Positions of targets without any ID are ignored. Identifiers are
   * compared as in the service's air picture: `icao:461f9c` and `ICAO:461F9C` are one target.
   */
  record(this: void, report: PositionReport, delivery: Pick<Delivery, 'device'>): void
  /** @param target As in `LatestPosition`, in any spelling that names the same target. */
  get(target: string): LatestPosition | undefined
  /** All targets, the one that was heard last at the end. */
  list(): LatestPosition[]
}

/** A position from later than this after its arrival has a wrong time. */
const maxAheadMs = 60_000

interface Heard extends LatestPosition {
  /** What decides which one is newer. */
  timeMs: number
}

/**
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver'
 * import { latestPositions } from '@posrep/relay-receiver/latest-positions'
 *
 * export const latest = latestPositions()
 * export const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: latest.record,
 * })
 * ```
 */
export function latestPositions({
  maxAgeMs = 60_000,
  maxTargets = 10_000,
  clock = systemClock,
}: LatestPositionsOptions = {}): LatestPositions {
  for (const [name, value] of Object.entries({ maxAgeMs, maxTargets })) {
    if (!(value >= 1)) throw new RangeError(`"${name}" must be at least 1, got ${value}`)
  }
  // In the order in which targets were heard, the longest unheard first.
  const latest = new Map<string, Heard>()

  return {
    record({ positions }, { device }) {
      for (const position of positions) {
        const receivedAtMs = clock.now()
        const timeMs = toTimeMs(position, receivedAtMs)
        const { key, target } = toTarget(position, device)
        if (key !== undefined) hear(key, { target, position, device, receivedAtMs, timeMs })
      }
      removeOld()
    },
    get(target) {
      removeOld()
      const heard = latest.get(target) ?? latest.get(toKey(target))
      return heard && toLatest(heard)
    },
    list() {
      removeOld()
      return [...latest.values()].map(toLatest)
    },
  }

  /** A position that arrives after a newer one still shows that the target is heard. */
  function hear(key: string, heard: Heard): void {
    const known = latest.get(key)
    const isNewer = !known || heard.timeMs >= known.timeMs
    latest.delete(key)
    latest.set(key, isNewer ? heard : { ...known, receivedAtMs: heard.receivedAtMs })
  }

  /**
   * A time that cannot be right counts as the oldest that could. So a sensor with a wrong clock replaces no position of
   * one whose clock is right, and neither of them holds a target at its place.
   */
  function toTimeMs({ sourceTimeStamp }: PositionData, receivedAtMs: number): number {
    const timeMs = toMs(sourceTimeStamp)
    const oldestMs = receivedAtMs - maxAgeMs
    return timeMs >= oldestMs && timeMs <= receivedAtMs + maxAheadMs ? timeMs : oldestMs
  }

  function removeOld(): void {
    for (const [key, { receivedAtMs }] of latest) {
      if (latest.size <= maxTargets && clock.now() - receivedAtMs <= maxAgeMs) return
      latest.delete(key)
    }
  }
}

function toLatest({ timeMs: _timeMs, ...latest }: Heard): LatestPosition {
  return latest
}

interface NamedTarget {
  key: string | undefined
  target: string
}

function toTarget({ target }: PositionData, device = ''): NamedTarget {
  const known = toStandardIdentifiers(target?.ids)
  const best = known.find(({ kind }) => kind === 'ICAO') ?? known[0]
  if (best) {
    const { id, written = id, type = noType } = best
    return { key: toKey(`${type}:${id}`), target: `${type}:${written}` }
  }
  const own = `${device}/${target?.sourceId}`
  return { key: target?.sourceId === undefined ? undefined : own, target: own }
}

const noType = 'ID'

/** The normal form of `<type>:<identifier>`. */
function toKey(target: string): string {
  const colon = target.indexOf(':')
  const given: Identifier = { type: target.slice(0, colon), id: target.slice(colon + 1) }
  const [{ kind, id } = { kind: 'other', id: '' }] = colon < 0 ? [] : toStandardIdentifiers([given])
  return kind === 'other' ? target : `${kind} ${id}`
}
