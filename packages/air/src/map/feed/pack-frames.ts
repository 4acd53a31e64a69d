/**
 * Packs frames for the map, on the page or in a worker. In: an AirFrame. Out: a PackedFrame. Keeps the handle of each
 * track.
 */
import type { AirFrame, AirTrack } from '@posrep/spec'
import { pickAltitude } from '../model/words.ts'
import { column, datumOrder, type PackedFrame, rowLength, stateOrder, type TrackTexts } from './packed-frame.ts'

interface Known {
  handle: number
  /** The texts as they were sent last. */
  texts: string
}

export function createFramePacker(): (frame: AirFrame) => PackedFrame {
  let known = new Map<string, Known>()
  let handles = 0

  function toTexts(track: AirTrack, one: Known): TrackTexts | undefined {
    const { id, type, identifiers, sensors } = track
    // Sorted, because the sensor that was heard last comes first.
    const devices = sensors.map(({ deviceId }) => deviceId).sort()
    const text = JSON.stringify([type, identifiers, devices])
    if (text === one.texts) return undefined
    one.texts = text
    return { handle: one.handle, id, type, identifiers, devices }
  }

  return ({ full, time, tracks, ended, alerts, moreAlerts = 0, sensors, areas }) => {
    // After a whole picture every text is sent again.
    if (full) known = new Map()
    const rows = new Float64Array(tracks.length * rowLength)
    const texts: TrackTexts[] = []
    for (const [index, track] of tracks.entries()) {
      let one = known.get(track.id)
      if (!one) known.set(track.id, (one = { handle: handles++, texts: '' }))
      writeRow(rows, index * rowLength, track, one.handle)
      const changed = toTexts(track, one)
      if (changed) texts.push(changed)
    }
    const endedHandles = ended.flatMap((id) => {
      const one = known.get(id)
      known.delete(id)
      return one ? [one.handle] : []
    })
    return {
      full,
      timeMs: Date.parse(time),
      rows,
      texts,
      ended: endedHandles,
      alerts,
      moreAlerts,
      sensors,
      ...(areas && { areas }),
    }
  }
}

function writeRow(rows: Float64Array, at: number, track: AirTrack, handle: number): void {
  const { position, groundVelocity: velocity, onGround = false } = track
  const altitude = pickAltitude(track.altitudes)
  rows[at + column.handle] = handle
  rows[at + column.state] = stateOrder.indexOf(track.state)
  rows[at + column.timeMs] = Date.parse(track.time)
  rows[at + column.receivedAtMs] = Date.parse(track.receivedAt)
  rows[at + column.lat] = position.lat
  rows[at + column.lon] = position.lon
  rows[at + column.east] = velocity?.x ?? Number.NaN
  rows[at + column.north] = velocity?.y ?? Number.NaN
  rows[at + column.up] = velocity?.z ?? Number.NaN
  rows[at + column.altitude] = altitude?.height ?? Number.NaN
  rows[at + column.datum] = altitude ? datumOrder.indexOf(altitude.datum) : -1
  rows[at + column.onGround] = onGround ? 1 : 0
  rows[at + column.accuracy] = position.accuracy ?? Number.NaN
}
