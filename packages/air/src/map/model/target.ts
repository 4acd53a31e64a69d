/** A target as the page keeps it. Its figures are changed in place, frame by frame. */
import type { AirTrack, AltitudeDatum } from '@posrep/spec'
import { toLat, toLon } from './mercator.ts'
import type { Trail } from './trail.ts'
import { nearestX } from './view.ts'
import type { Kind } from './words.ts'

export interface Target {
  readonly handle: number
  readonly id: string
  name: string
  kind: Kind
  identifiers: AirTrack['identifiers']
  devices: string[]
  state: AirTrack['state']
  /** Of the estimate. */
  timeMs: number
  receivedAtMs: number
  lat: number
  lon: number
  /** What is not known is NaN. Metres and metres per second. */
  east: number
  north: number
  up: number
  altitude: number
  /** Absent without an altitude. */
  datum: AltitudeDatum | undefined
  onGround: boolean
  accuracy: number
  trail: Trail
  /** x and y of the projection at `timeMs`. */
  x: number
  y: number
  /** Of the projection, at its latitude. */
  unitsPerMetre: number
  /** In which direction it flies, clockwise from north; NaN if it stands or this is not known. */
  direction: number
  /** Where it was drawn minus where it should have been when its position last changed; fades out. */
  errorX: number
  errorY: number
  errorAtMs: number
  /**
   * What the map shows now, or at the time of the replay: x and y of the projection, and the figures above for that
   * time.
   */
  shownX: number
  shownY: number
  shownDirection: number
  shownAltitude: number
  shownEast: number
  shownNorth: number
  shownUp: number
  /** Shown at the time of the replay. */
  isThere: boolean
  /** It is kept for the replay only. */
  hasEnded: boolean
  /** Passes the filters. */
  isWanted: boolean
  isAlerted: boolean
  /** The pixel where it was drawn last; NaN while it is outside the map. */
  px: number
  py: number
  /** The side of its label, -1 without one. */
  labelSide: number
}

/** Latitude and longitude: of the estimate, or at the time of the replay. */
export function findPosition({ lat, lon, shownX, shownY }: Target, isReplay: boolean): [lat: number, lon: number] {
  return isReplay ? [toLat(shownY), toLon(nearestX(shownX, 0.5))] : [lat, lon]
}
