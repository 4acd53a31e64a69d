/** Figures of a target as people read them: on the map, in a table of a page, on a server. */

export { altitudeSteps, toColours } from './map/model/altitude-scale.ts'
export type { Kind, Units } from './map/model/words.ts'
export {
  alertWords,
  datums,
  feet,
  inUnits,
  kindWords,
  pickAltitude,
  stateWords,
  toAgeText,
  toAltitudeText,
  toClimbText,
  toClock,
  toCountText,
  toDirection,
  toDistanceText,
  toKind,
  toLostText,
  toName,
  toPositionsText,
  toPositionText,
  toShortDevice,
  toSpeedText,
  toTrackText,
} from './map/model/words.ts'
