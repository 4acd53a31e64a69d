/** Tracks in the formats of other programs. */

export type { CursorOnTargetOptions } from './formats/cot-event.ts'
export { toCursorOnTarget } from './formats/cot-event.ts'
export { toGeoJson, toGeoJsonFeature } from './formats/geo-json.ts'
export type { ReadsbOptions } from './formats/readsb.ts'
export { toReadsb } from './formats/readsb.ts'
