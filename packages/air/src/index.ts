/**
 * The air picture: one track of what all sensors report of a target, with alerts. Pure: no clock, no network. Not for
 * navigation.
 */

export type { SeparationSetting } from './alerts/separation.ts'
export type { Terrain } from './standard/altitudes.ts'
export type { Box } from './tracker/box.ts'
export { isInBox } from './tracker/box.ts'
export { createTracker } from './tracker/create-tracker.ts'
export type { HistoryQuery } from './tracker/paths.ts'
export type { AddOptions, Tracker, TrackerCounts, TrackerOptions, TrackerSnapshot } from './tracker/tracker.ts'
