/** The tracks as GeoJSON (RFC 7946), for maps. In: tracks, and whether there are more. Out: a FeatureCollection of points, with the tracks as properties. */
import type { AirTrack, AirTrackCollection, AirTrackFeature } from '@posrep/spec'

export function toGeoJson(
  { tracks, truncated }: { tracks: readonly AirTrack[]; truncated: boolean },
  timeMs: number,
): AirTrackCollection {
  return {
    type: 'FeatureCollection',
    notice: 'Not for navigation',
    time: new Date(timeMs).toISOString(),
    truncated,
    features: tracks.map(toFeature),
  }
}

function toFeature(track: AirTrack): AirTrackFeature {
  const { lat, lon } = track.position
  // RFC 7946, section 4: the third coordinate is the height above the WGS 84 ellipsoid, and no other.
  const height = track.altitudes.find(({ datum }) => datum === 'wgs84')?.height
  const coordinates = height === undefined ? [lon, lat] : [lon, lat, height]
  return { type: 'Feature', id: track.id, geometry: { type: 'Point', coordinates }, properties: track }
}
