/** The picture as the frames of a stream make it. In: one frame after the other. Out: what is in the picture now. */
import type { AirAlert, AirAreaList, AirFrame, AirSensor, AirTrack } from '@posrep/spec'

/** Not for navigation. */
export interface FollowedAir {
  /** Time of the picture. */
  readonly time: string
  /** By ID. */
  readonly tracks: ReadonlyMap<string, AirTrack>
  /** The active ones, by ID. */
  readonly alerts: ReadonlyMap<string, AirAlert>
  /** By device ID. */
  readonly sensors: ReadonlyMap<string, AirSensor>
  /** The areas that the account watches. */
  readonly areas: AirAreaList
  /** What has changed since the picture before, also which tracks and alerts have ended. */
  readonly frame: AirFrame
}

/** Returns a function that applies a frame. The maps are the same each time, and change with each frame. */
export function createFollowedAir(): (frame: AirFrame) => FollowedAir {
  const tracks = new Map<string, AirTrack>()
  const alerts = new Map<string, AirAlert>()
  const sensors = new Map<string, AirSensor>()
  let areas: AirAreaList = { type: 'FeatureCollection', features: [] }

  return (frame) => {
    if (frame.full) for (const map of [tracks, alerts, sensors]) map.clear()
    for (const id of frame.ended) tracks.delete(id)
    for (const track of frame.tracks) tracks.set(track.id, track)
    for (const alert of frame.alerts) {
      if (alert.state === 'active') alerts.set(alert.id, alert)
      else alerts.delete(alert.id)
    }
    for (const sensor of frame.sensors) sensors.set(sensor.deviceId, sensor)
    areas = frame.areas ?? areas
    return { time: frame.time, tracks, alerts, sensors, areas, frame }
  }
}
