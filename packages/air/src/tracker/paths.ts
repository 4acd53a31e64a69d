/**
 * Where the targets were, for trails and replay.
 * In: the histories of the tracks, a window and a box. Out: AirPaths, bounded in points: the more tracks, the further
 * apart.
 */

import type { AirPath } from '@posrep/spec'
import type { TrackHistory } from '../correlation/correlator.ts'
import { hasPoint, toPath } from '../correlation/targets/history.ts'
import { toIdentifier } from '../track/to-air-track.ts'
import { type Box, isInBox } from './box.ts'

export interface HistoryQuery {
  /** Default: everywhere. */
  box?: Box | undefined
  /** Length of the window before the time of the picture, at most 600. */
  seconds: number
  /** Of tracks. */
  limit: number
}

/** As the document says. */
const minSpacingMs = 5_000
const maxPoints = 100_000

export function listPaths(
  histories: Iterable<TrackHistory>,
  { box, seconds, limit }: HistoryQuery,
  timeMs: number,
): { paths: AirPath[]; truncated: boolean } {
  const windowMs = seconds * 1_000
  const sinceMs = timeMs - windowMs
  const isInside = (lat: number, lon: number) => !box || isInBox(box, { lat, lon })
  const found = [...histories].filter(({ history }) => hasPoint(history, sinceMs, isInside))
  const shown = found.sort((a, b) => (a.track.id < b.track.id ? -1 : 1)).slice(0, limit)
  const spacingMs = Math.max(minSpacingMs, (windowMs * shown.length) / maxPoints)
  const toAirPath = ({ track: { id, type, identifiers }, history, hasEnded }: TrackHistory): AirPath => {
    return {
      id,
      ...(type !== undefined && { type }),
      identifiers: identifiers.map(toIdentifier),
      deviceIds: history.deviceUrns,
      ended: hasEnded,
      points: toPath(history, sinceMs, spacingMs).map(([lon = 0, lat = 0, atMs = 0, ...height]) => [
        lon,
        lat,
        Math.round((timeMs - atMs) / 100) / 10,
        ...height,
      ]),
    }
  }
  return { paths: shown.map(toAirPath), truncated: found.length > limit }
}
