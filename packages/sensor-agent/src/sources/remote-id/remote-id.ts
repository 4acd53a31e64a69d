/**
 * Maps ASTM F3411 Remote ID as JSON.
 * In: one object per drone and message, in one of two shapes: a flight of the standard's network interface (`RIDFlight`, with
 * `current_state`), or a decoded broadcast message with flat members (`lat`, `lon`, `speed_ms`, `uas_id`, …). Out: positions.
 * Receivers hear each broadcast several times; a message with the drone and the time of an earlier one is its repetition.
 * The standard's values for "unknown" (altitude -1000, speed 255, vertical speed 63, direction 361, position 0/0) are left out.
 */
import type { GeographicVector, Height, Identifier, PositionData } from '@posrep/spec'
import { withValues } from '../fields.ts'
import { createRepetitions } from '../repetitions.ts'
import { atGround, isOnEarth, round, toEastNorth } from '../units.ts'
import { readBroadcast } from './broadcast.ts'
import { readFlight } from './flight.ts'
import type { RemoteIdState } from './remote-id-state.ts'

export interface RemoteIdMapperOptions {
  /**
   * A height above the take-off place is not a height above the ground, so it becomes `target.additionalInfo.heightAboveTakeoff`,
   * in metres. `agl` reports it as datum `agl`, for flat terrain. Default `info`.
   */
  takeoffHeight?: 'info' | 'agl'
}

export interface RemoteIdMapper {
  /** The message's new positions: none for a repetition, several for a list of flights. Never throws. */
  map(message: unknown): PositionData[]
  counters(): { messages: number; positions: number; repetitions: number; unparsable: number }
}

export function createRemoteIdMapper({ takeoffHeight = 'info' }: RemoteIdMapperOptions = {}): RemoteIdMapper {
  if (takeoffHeight !== 'info' && takeoffHeight !== 'agl') {
    throw new TypeError(`"takeoffHeight" must be info or agl, got "${takeoffHeight}"`)
  }
  const isRepeated = createRepetitions()
  const counters = { messages: 0, positions: 0, repetitions: 0, unparsable: 0 }

  return { map, counters: () => ({ ...counters }) }

  function map(message: unknown): PositionData[] {
    return toItems(message).flatMap((item) => {
      counters.messages += 1
      const state = readFlight(item) ?? readBroadcast(item)
      if (!state || !isOnEarth(state.lat, state.lon) || (state.lat === 0 && state.lon === 0)) {
        counters.unparsable += 1
        return []
      }
      const position = toPosition(state, takeoffHeight)
      const isNew = !isRepeated(position.id)
      counters[isNew ? 'positions' : 'repetitions'] += 1
      return isNew ? [position] : []
    })
  }
}

/** A list, `{ "flights": [...] }` as the standard answers, or one object. */
function toItems(message: unknown): unknown[] {
  if (Array.isArray(message)) return message
  const flights = typeof message === 'object' && message !== null && 'flights' in message ? message.flights : undefined
  return Array.isArray(flights) ? flights : [message]
}

function toPosition(state: RemoteIdState, takeoffHeight: 'info' | 'agl'): PositionData {
  const { id, idType, atMs, lat, lon, onGround, horizontalAccuracyMetres: accuracy } = state
  const isAgl = state.heightReference === 'ground' || takeoffHeight === 'agl'
  const altitudes = toAltitudes(state, isAgl)
  const groundVelocity = toVector(state)
  const ids: Identifier[] = [{ id, type: idType }]
  const additionalInfo = withValues({
    uaType: state.uaType,
    heightAboveTakeoff: isAgl ? undefined : state.heightMetres,
  })
  return {
    id: `${id}-${atMs}`,
    sourceTimeStamp: new Date(atMs).toISOString(),
    target: { sourceId: id, type: 'aa:target:drone', ids, ...(additionalInfo && { additionalInfo }) },
    position: { lat, lon, ...(accuracy !== undefined && { accuracy }), source: 'remote-id' },
    ...(altitudes.length > 0 && { altitudes }),
    ...(groundVelocity && { groundVelocity }),
    ...(onGround !== undefined && { onGround }),
  }
}

function toAltitudes(state: RemoteIdState, isAgl: boolean): Height[] {
  const accuracy = state.verticalAccuracyMetres === undefined ? {} : { accuracy: state.verticalAccuracyMetres }
  const altitudes: Height[] = []
  if (state.geodeticMetres !== undefined) altitudes.push({ height: state.geodeticMetres, datum: 'wgs84', ...accuracy })
  if (state.pressureMetres !== undefined) altitudes.push({ height: state.pressureMetres, datum: 'bar' })
  if (isAgl && state.heightMetres !== undefined) altitudes.push({ height: state.heightMetres, datum: 'agl' })
  else if (state.onGround) altitudes.push(atGround)
  return altitudes
}

function toVector({ speed, trackDegrees, upSpeed, onGround }: RemoteIdState): GeographicVector | undefined {
  const ground = toEastNorth(speed, trackDegrees)
  // A drone that says that it is on the ground does not climb.
  const up = upSpeed ?? (onGround ? 0 : undefined)
  if (!ground && up === undefined) return undefined
  return { ...ground, ...(up !== undefined && { z: round(up, 3) }) }
}
