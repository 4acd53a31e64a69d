/**
 * Mends common mistakes of real senders, for the compat profile of the ingest.
 * In: any parsed body. Out: the mended report, and pointers to the mended members. Objects without mistakes are
 * returned as they are; no object is changed in place. Pure and idempotent.
 */
import type { Mended } from '../../ports/mend.ts'
import { isMembers, type Members, mendCoordinates, mendInfo, withMembers } from './mend-members.ts'
import { mendTime } from './mend-time.ts'

export function mendReport(value: unknown): Mended {
  const mended: string[] = []
  if (!isMembers(value)) return { value, mended }
  const sensor = mendSensor(value.sensor, mended)
  const positions = mendPositions(value.positions, mended)
  return { value: withMembers(value, { sensor, positions }), mended }
}

function mendSensor(sensor: unknown, mended: string[]): unknown {
  if (!isMembers(sensor)) return sensor
  const addPointer = (rest: string) => void mended.push(`/sensor${rest}`)
  const { sensorPosition } = sensor
  const coordinates = isMembers(sensorPosition)
    ? mendCoordinates(sensorPosition.geographicPosition, '/sensorPosition/geographicPosition', addPointer)
    : undefined
  return withMembers(sensor, {
    sensorPosition: isMembers(sensorPosition)
      ? withMembers(sensorPosition, { geographicPosition: coordinates })
      : sensorPosition,
    additionalInfo: mendInfo(sensor.additionalInfo, '/additionalInfo', addPointer),
  })
}

function mendPositions(positions: unknown, mended: string[]): unknown {
  if (!Array.isArray(positions)) return positions
  const meant: unknown[] = positions.map((position: unknown, index) => mendPosition(position, index, mended))
  return mended.length > 0 ? meant : positions
}

function mendPosition(position: unknown, index: number, mended: string[]): unknown {
  if (!isMembers(position)) return position
  const addPointer = (rest: string) => void mended.push(`/positions/${index}${rest}`)
  const { target } = position
  const lifted = lift(position, addPointer)
  return withMembers(lifted, {
    sourceTimeStamp: mendSourceTime(position, lifted.sourceTimeStamp, addPointer),
    position: mendCoordinates(lifted.position, '/position', addPointer),
    additionalInfo: mendInfo(position.additionalInfo, '/additionalInfo', addPointer),
    target: isMembers(target)
      ? withMembers(target, { additionalInfo: mendInfo(target.additionalInfo, '/target/additionalInfo', addPointer) })
      : target,
  })
}

/** Moves `id` and `sourceTimeStamp` from `position` to the level where they belong. */
function lift(position: Members, addPointer: (rest: string) => void): Members {
  if (position.id !== undefined && position.sourceTimeStamp !== undefined) return position
  if (!isMembers(position.position)) return position
  const lifted: Members = { ...position }
  const coordinates: Members = { ...position.position }
  for (const name of ['id', 'sourceTimeStamp']) {
    if (position[name] !== undefined || typeof coordinates[name] !== 'string') continue
    addPointer(`/position/${name}`)
    lifted[name] = coordinates[name]
    delete coordinates[name]
  }
  return { ...lifted, position: coordinates }
}

function mendSourceTime(position: Members, time: unknown, addPointer: (rest: string) => void): unknown {
  if (typeof time !== 'string') return time
  const meant = mendTime(time)
  // `lift` has already reported a time that it moved.
  if (meant !== time && position.sourceTimeStamp !== undefined) addPointer('/sourceTimeStamp')
  return meant
}
