/** A track as GeoJSON (RFC 7946), for maps. In: a track. Out: a point, with the track as its properties. */
import type { AirTrack, AirTrackFeature } from '@posrep/spec'

export function toFeature(track: AirTrack): AirTrackFeature {
  const { lat, lon } = track.position
  // RFC 7946, section 4: the third coordinate is the height above the WGS 84 ellipsoid, and no other.
  const height = track.altitudes.find(({ datum }) => datum === 'wgs84')?.height
  const coordinates = height === undefined ? [lon, lat] : [lon, lat, height]
  return { type: 'Feature', id: track.id, geometry: { type: 'Point', coordinates }, properties: track }
}
