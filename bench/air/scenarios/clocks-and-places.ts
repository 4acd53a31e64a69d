/** Sensors whose clock or place is wrong. */

import { origin } from './flights.ts'
import type { Scenario } from './scenario.ts'
import { adsb, detector, observe, radar, type Sensor } from './sensors.ts'
import { makeTraffic } from './traffic.ts'

const airportMetres = 25_000
const enRouteMetres = 100_000

function besideAdsb(name: string, sensor: Sensor, radiusMetres = airportMetres): Scenario {
  return {
    name,
    make(seed) {
      const seconds = 300
      const targets = makeTraffic(8, seconds + 30, seed, radiusMetres)
      return { targets, sightings: observe(targets, [adsb, sensor], seconds, seed) }
    },
  }
}

export const late5 = besideAdsb('detector-clock-5-s-late', {
  ...detector,
  clockSeconds: -5,
  hasVelocity: true,
  hasSourceIds: true,
})
export const late10 = besideAdsb('detector-clock-10-s-late', {
  ...detector,
  clockSeconds: -10,
  hasVelocity: true,
  hasSourceIds: true,
})
export const late15 = besideAdsb('radar-clock-15-s-late', { ...radar, clockSeconds: -15, hasSourceIds: true })
export const biased = besideAdsb('receiver-200-m-off', {
  ...adsb,
  name: 'mlat',
  accuracyMetres: 60,
  biasMetres: [160, -120],
})

/** A radar that says where it stands; a primary one has plots only, a secondary one addresses. */
const standing: Sensor = {
  ...radar,
  hasSourceIds: true,
  sensorPosition: { geographicPosition: { lat: origin.latDegrees, lon: origin.lonDegrees } },
}
const primary: Sensor = { ...standing, hasSourceIds: false, datums: [] }
const secondary: Sensor = { ...standing, hasAddresses: true }

export const standingRadars: readonly Scenario[] = [
  besideAdsb('radar-standing', standing),
  besideAdsb('radar-azimuth-off-by-1-degree', { ...standing, azimuthBiasDegrees: 1 }),
  besideAdsb('radar-range-off-by-150-m', { ...standing, rangeBiasMetres: 150 }),
  besideAdsb('radar-azimuth-off-within-100-km', { ...standing, azimuthBiasDegrees: 1 }, enRouteMetres),
  besideAdsb('primary-radar-standing', primary),
  besideAdsb('primary-radar-azimuth-off-by-1-degree', { ...primary, azimuthBiasDegrees: 1 }),
  besideAdsb('secondary-radar-standing', secondary),
  besideAdsb('secondary-radar-azimuth-off-by-1-degree', { ...secondary, azimuthBiasDegrees: 1 }),
  besideAdsb('secondary-radar-range-off-by-150-m', { ...secondary, rangeBiasMetres: 150 }),
  besideAdsb('secondary-radar-azimuth-off-within-100-km', { ...secondary, azimuthBiasDegrees: 1 }, enRouteMetres),
]
