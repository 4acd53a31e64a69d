/** Altitudes above other datums than the sensor gave. With the geoid EGM96, whose grid is 2 MB. */

export type { AltitudeInputs, Terrain } from './standard/altitudes.ts'
export { completeAltitudes } from './standard/altitudes.ts'
