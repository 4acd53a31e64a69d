/**
 * The altitude at which the ICAO standard atmosphere has a pressure.
 * In: hectopascal. Out: metres. Valid up to 11 km (226 hPa). ICAO Doc 7488, equations of the troposphere.
 */
export function pressureAltitudeMetres(pressureHpa: number): number {
  return (seaLevelKelvin / kelvinPerMetre) * (1 - (pressureHpa / seaLevelHpa) ** exponent)
}

const seaLevelHpa = 1013.25
const seaLevelKelvin = 288.15
const kelvinPerMetre = 0.0065
const gasConstant = 287.05287
const gravity = 9.80665
const exponent = (gasConstant * kelvinPerMetre) / gravity
