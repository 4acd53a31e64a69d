/**
 * Maps ASTM F3411 Remote ID as JSON.
 * In: one object per drone and message, in one of two shapes: a flight of the standard's network interface
 * (`RIDFlight`, with `current_state`), or a decoded broadcast message (`lat`, `lon`, `speed_ms`, `uas_id`, …). Out:
 * positions. Receivers hear each broadcast several times; a message with the drone, the time and the place of an
 * earlier one is its repetition. The standard's values for "unknown" (altitude -1000, speed 255, vertical speed 63,
 * direction 361, position 0/0) are left out.
 */
import type { GeographicVector, Height, Identifier, PositionData } from '@posrep/spec'
import { withAgentTime } from '../agent-time.ts'
import { withValues } from '../fields.ts'
import { createIdentities } from '../identities.ts'
import { countReason, type MapperListener, type ReasonCounts } from '../reasons.ts'
import { createTimeline } from '../timeline.ts'
import { atGround, isOnEarth, round, toEastNorth } from '../units.ts'
import { isListOfMessages, readBroadcast } from './broadcast.ts'
import { readFlight } from './flight.ts'
import type { RemoteIdFault, RemoteIdState } from './remote-id-state.ts'

export interface RemoteIdMapperOptions extends MapperListener {
  /**
   * The time at which inputs are received now, in ms since the Unix epoch. An input without a usable time then has this
   * one, and says so (`target.additionalInfo.timeSource`). Default: none, as for a recording, where such inputs cannot
   * be used.
   */
  receivedAtMs?: () => number
  /**
   * A height above the take-off place is not a height above the ground, so it becomes
   * `target.additionalInfo.heightAboveTakeoff`, in metres. `agl` reports it as datum `agl`, for flat terrain. Default
   * `info`.
   */
  takeoffHeight?: 'info' | 'agl'
}

export interface RemoteIdMapper {
  /** The message's new positions: none for a repetition, several for a list of flights. Never throws. */
  map(message: unknown): PositionData[]
  counters(): RemoteIdCounters
}

/** `messages` = `positions` + `repetitions` + `unparsable`. */
export interface RemoteIdCounters {
  messages: number
  positions: number
  repetitions: number
  /** Messages that could not be used. */
  unparsable: number
  /** Of those, how many for which reason. */
  reasons: ReasonCounts
}

export function createRemoteIdMapper({
  receivedAtMs,
  takeoffHeight = 'info',
  onUnusable = () => undefined,
  onPartial = () => undefined,
}: RemoteIdMapperOptions = {}): RemoteIdMapper {
  if (takeoffHeight !== 'info' && takeoffHeight !== 'agl') {
    throw new TypeError(`"takeoffHeight" must be info or agl, got "${takeoffHeight}"`)
  }
  const identify = createIdentities()
  const timeline = createTimeline()
  const counters = { messages: 0, positions: 0, repetitions: 0, unparsable: 0 }
  const reasons: ReasonCounts = {}

  return { map, counters: () => ({ ...counters, reasons: { ...reasons } }) }

  function map(message: unknown): PositionData[] {
    const receivedNowMs = receivedAtMs?.()
    return toItems(message).flatMap((item) => {
      counters.messages += 1
      const state = checkPlace(readFlight(item) ?? readBroadcast(item, receivedNowMs))
      if ('reason' in state) return unusable(state)
      const when = timeline.judge(state.statedAtMs, receivedNowMs)
      if (!when)
        return unusable({ reason: 'no_time', message: `the message of ${state.id} has no time since the epoch` })
      const id = identify(state.id, when.atMs, state.lat, state.lon)
      counters[id === undefined ? 'repetitions' : 'positions'] += 1
      if (id === undefined) return []
      for (const part of state.unread) onPartial(part)
      const position = toPosition(id, when.atMs, state, takeoffHeight)
      if (!when.isAgentTime) return [position]
      onPartial('time')
      return [withAgentTime(position)]
    })
  }

  function unusable({ reason, message }: RemoteIdFault): [] {
    counters.unparsable += 1
    countReason(reasons, reason)
    onUnusable(reason, message)
    return []
  }
}

function checkPlace(state: RemoteIdState | RemoteIdFault): RemoteIdState | RemoteIdFault {
  if ('reason' in state) return state
  const { id, lat, lon } = state
  if (!isOnEarth(lat, lon)) return { reason: 'impossible_place', message: `${id}: ${lat}, ${lon} is not on Earth` }
  if (lat === 0 && lon === 0) return { reason: 'null_island', message: `${id}: 0/0 is the standard's unknown position` }
  return state
}

/** A list, `{ "flights": [...] }` as the standard answers, or one object. */
function toItems(message: unknown): unknown[] {
  if (Array.isArray(message)) return isListOfMessages(message) ? [message] : message
  const flights = typeof message === 'object' && message !== null && 'flights' in message ? message.flights : undefined
  return Array.isArray(flights) ? flights : [message]
}

function toPosition(
  positionId: string,
  atMs: number,
  state: RemoteIdState,
  takeoffHeight: 'info' | 'agl',
): PositionData {
  const { id, idType, lat, lon, onGround, horizontalAccuracyMetres: accuracy } = state
  const isAgl = state.heightReference === 'ground' || takeoffHeight === 'agl'
  const altitudes = toAltitudes(state, isAgl)
  const groundVelocity = toVector(state)
  const ids: Identifier[] = [{ id, type: idType }]
  const additionalInfo = withValues({
    uaType: state.uaType,
    heightAboveTakeoff: isAgl ? undefined : state.heightMetres,
  })
  return {
    id: positionId,
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
