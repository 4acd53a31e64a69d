/**
 * Where the targets of an account were, for trails and replay.
 * In: the histories of the tracks, a window and a box. Out: AirPaths as JSON, bounded in points: the more tracks, the further apart.
 */
import type { AirPath } from '@posrep/spec'
import { isInBox } from '../box.ts'
import type { HistoryQuery, HistoryTexts } from '../picture.ts'
import { hasPoint, toPath } from '../tracker/targets/history.ts'
import type { TrackHistory } from '../tracker/tracker.ts'
import { toIdentifier } from './to-wire.ts'

/** As the document says. */
const minSpacingMs = 5_000
const maxPoints = 100_000

export function listPaths(
  histories: Iterable<TrackHistory>,
  { box, seconds, limit }: HistoryQuery,
  timeMs: number,
): HistoryTexts {
  const windowMs = seconds * 1_000
  const sinceMs = timeMs - windowMs
  const isInside = (lat: number, lon: number) => !box || isInBox(box, { lat, lon })
  const found = [...histories].filter(({ history }) => hasPoint(history, sinceMs, isInside))
  const shown = found.sort((a, b) => (a.track.id < b.track.id ? -1 : 1)).slice(0, limit)
  const spacingMs = Math.max(minSpacingMs, (windowMs * shown.length) / maxPoints)
  const toText = ({ track: { id, type, identifiers }, history, hasEnded }: TrackHistory) => {
    const path: AirPath = {
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
    return JSON.stringify(path)
  }
  return { timeMs, paths: shown.map(toText), truncated: found.length > limit }
}
