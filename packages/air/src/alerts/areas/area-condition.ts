/**
 * Writes the entry of an area as the document has it, and as a sentence.
 * In: a track, an area, and when and where the track enters it. Out: a condition.
 */
import type { AirArea, AirAreaEntry } from '@posrep/spec'
import type { Condition } from '../alert-book.ts'
import { offsetBetween, type Place, toMicrodegrees } from '../local-plane.ts'
import type { Mover } from '../mover.ts'
import { nameTrack } from '../track-name.ts'
import type { Entry } from './entry.ts'

/** Entries that are predicted sooner are raised at once. */
const urgentSeconds = 10
/** Smaller changes are not worth an update. */
const meaningfulSeconds = 3
const meaningfulMetres = 500

export function toAreaCondition(key: string, mover: Mover, area: AirArea, entry: Entry, nowMs: number): Condition {
  const { seconds, position } = entry
  const predicted = seconds > 0
  const { name } = area.properties
  const who = nameTrack(mover.track)
  const remark = toAltitudeRemark(entry)
  return {
    key,
    kind: 'area',
    isUrgent: predicted && seconds < urgentSeconds,
    describe: () => ({
      text: `${predicted ? `${who} enters the area ${name} in ${Math.round(seconds)} s` : `${who} is in the area ${name}`}${remark}`,
      endText: `${who} is not in the area ${name}, and is not predicted to enter it`,
      area: {
        areaId: area.id,
        areaName: name,
        trackId: mover.id,
        predicted,
        secondsToEntry: Math.round(seconds * 10) / 10,
        position: { lat: toMicrodegrees(position.latDegrees), lon: toMicrodegrees(toLongitude(position.lonDegrees)) },
      },
    }),
    hasChanged: ({ area: shown }, updatedAtMs) =>
      shown === undefined ||
      shown.predicted !== predicted ||
      shown.areaName !== name ||
      (predicted
        ? Math.abs(updatedAtMs + shown.secondsToEntry * 1_000 - nowMs - seconds * 1_000) > meaningfulSeconds * 1_000
        : hasMoved(shown, position)),
  }
}

function toAltitudeRemark({ unknownDatums, uncertaintyMetres }: Entry): string {
  if (unknownDatums.length > 0) {
    return `; its altitude above the datum ${unknownDatums.join(' and ')} is not known, so it may be above or below`
  }
  return uncertaintyMetres > 0 ? `; its altitude is converted, to about ${Math.ceil(uncertaintyMetres)} m` : ''
}

function hasMoved({ position }: AirAreaEntry, now: Place): boolean {
  if (!position) return true
  const { eastMetres, northMetres } = offsetBetween({ latDegrees: position.lat, lonDegrees: position.lon }, now)
  return Math.hypot(eastMetres, northMetres) > meaningfulMetres
}

function toLongitude(degrees: number): number {
  return degrees >= 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}
