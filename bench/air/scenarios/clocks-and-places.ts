/** Sensors whose clock or place is wrong. */

import { origin } from './flights.ts'
import type { Scenario } from './scenario.ts'
import { adsb, detector, observe, radar, type Sensor } from './sensors.ts'
import { makeTraffic } from './traffic.ts'

function besideAdsb(name: string, sensor: Sensor, seconds = 300): Scenario {
  return {
    name,
    make(seed) {
      const targets = makeTraffic(8, seconds + 30, seed, 25_000)
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
export const biasedRadar = besideAdsb('radar-azimuth-off-by-1-degree', {
  ...radar,
  hasSourceIds: true,
  azimuthBiasDegrees: 1,
  sensorPosition: { geographicPosition: { lat: origin.latDegrees, lon: origin.lonDegrees } },
})
