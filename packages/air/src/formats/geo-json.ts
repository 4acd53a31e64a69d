/**
 * Tracks as GeoJSON (RFC 7946), for maps. In: tracks. Out: points, each with its track and a flat `name` as its
 * properties.
 */
import type { AirTrack, AirTrackCollection, AirTrackFeature } from '@posrep/spec'
import { findGeometricHeight } from './geometric-height.ts'
import { toPlainTrackName } from './identifiers.ts'

/**
 * @param timeMs Time of the picture, in ms since the epoch.
 * @example
 * ```ts
 * import type { Tracker } from '@posrep/air'
 * import { toGeoJson } from '@posrep/air/formats'
 *
 * export const toJson = (tracker: Tracker) => JSON.stringify(toGeoJson(tracker.tracks(), { timeMs: tracker.timeMs() }))
 * ```
 */
export function toGeoJson(tracks: readonly AirTrack[], { timeMs }: { timeMs: number }): AirTrackCollection {
  const time = new Date(timeMs).toISOString()
  const features = tracks.map(toGeoJsonFeature)
  return { type: 'FeatureCollection', notice: 'Not for navigation', time, truncated: false, features }
}

export function toGeoJsonFeature(track: AirTrack): AirTrackFeature {
  const { lat, lon } = track.position
  // RFC 7946, section 4: the third coordinate is the height above the WGS 84 ellipsoid, and no other.
  const height = findGeometricHeight(track)
  const coordinates = height === undefined ? [lon, lat] : [lon, lat, height]
  return {
    type: 'Feature',
    id: track.id,
    geometry: { type: 'Point', coordinates },
    properties: { ...track, name: toPlainTrackName(track) },
  }
}
