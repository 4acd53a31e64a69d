/** Finds tracks: by id, identifier, source and place. Tracks are in the order in which they began. */
import type { StandardIdentifier } from '../../standard/standard-position.ts'
import { createSensor, type Sensor } from '../sensors/sensor.ts'
import { createGrid } from './grid.ts'
import { isStrong, toKey } from './identifiers.ts'
import type { Target } from './target.ts'

export interface TargetIndex {
  readonly targets: Map<number, Target>
  readonly sensors: Map<string, Sensor>
  add(target: Target): void
  remove(target: Target): void
  addIdentifier(target: Target, identifier: StandardIdentifier): void
  /**
   * None, one or more. None if over 400 have it: then it does not tell them apart, and would make each position slow.
   */
  withIdentifier(identifier: StandardIdentifier): ReadonlySet<Target>
  /** Tracks that have a strong identifier in common with another one. */
  readonly doubles: ReadonlySet<Target>
  /** The sensor, made if it is new. */
  sensor(deviceUrn: string): Sensor
  /** Another track may have claimed the source since: then it keeps it. */
  removeSource(target: Target, deviceUrn: string, sourceId: string): void
  /** After a change of `target.place`. */
  moved(target: Target): void
  visitNear(latDegrees: number, lonDegrees: number, visit: (target: Target) => void): void
}

const maxHolders = 400

export function createTargetIndex(): TargetIndex {
  const targets = new Map<number, Target>()
  const sensors = new Map<string, Sensor>()
  const byIdentifier = new Map<string, Set<Target>>()
  const doubles = new Set<Target>()
  const grid = createGrid<Target>()
  const none: ReadonlySet<Target> = new Set()

  const sensor = (deviceUrn: string): Sensor => {
    const known = sensors.get(deviceUrn)
    if (known) return known
    const made = createSensor(deviceUrn)
    sensors.set(deviceUrn, made)
    return made
  }

  const addIdentifier = (target: Target, identifier: StandardIdentifier) => {
    const key = toKey(identifier)
    const found = byIdentifier.get(key)
    if (!found) byIdentifier.set(key, new Set([target]))
    else if (!found.has(target)) {
      found.add(target)
      if (!isStrong(identifier)) return
      // Of more than two, the others are known.
      if (found.size === 2) for (const double of found) doubles.add(double)
      else doubles.add(target)
    }
  }

  const isDouble = ({ track }: Target) =>
    track.identifiers.some((one) => isStrong(one) && (byIdentifier.get(toKey(one))?.size ?? 0) > 1)

  const removeSource = (target: Target, deviceUrn: string, sourceId: string) => {
    const { sources } = sensor(deviceUrn)
    if (sources.get(sourceId) === target) sources.delete(sourceId)
  }

  return {
    targets,
    sensors,
    doubles,
    sensor,
    addIdentifier,
    removeSource,
    add(target) {
      targets.set(target.number, target)
      for (const identifier of target.track.identifiers) addIdentifier(target, identifier)
      for (const { deviceUrn, sourceId } of target.track.contributions) {
        if (sourceId !== undefined) sensor(deviceUrn).sources.set(sourceId, target)
      }
      grid.put(target, target.place)
    },
    remove(target) {
      targets.delete(target.number)
      doubles.delete(target)
      for (const identifier of target.track.identifiers) {
        const key = toKey(identifier)
        const others = byIdentifier.get(key)
        if (!others?.delete(target)) continue
        if (others.size === 0) byIdentifier.delete(key)
        if (others.size !== 1) continue
        for (const last of others) if (!isDouble(last)) doubles.delete(last)
      }
      for (const { deviceUrn, sourceId } of target.track.contributions) {
        if (sourceId !== undefined) removeSource(target, deviceUrn, sourceId)
      }
      grid.remove(target)
    },
    withIdentifier(identifier) {
      const found = byIdentifier.get(toKey(identifier))
      return found && found.size <= maxHolders ? found : none
    },
    moved: (target) => grid.put(target, target.place),
    visitNear: (latDegrees, lonDegrees, visit) => grid.visitNear(latDegrees, lonDegrees, visit),
  }
}
