/** An ADS-B receiver, and another sensor beside it. */
import type { Correlator } from '../../../src/correlation/correlator.ts'
import { aReception, at, type Flight, type GivenReception, tick } from '../a-reception.ts'

/** They fly in different directions, so that a wrong clock and a wrong place differ. */
export const flights: Flight[] = [
  { latDegrees: 60, lonDegrees: 25, velocity: [200, 0] },
  { latDegrees: 60.1, lonDegrees: 25, velocity: [0, 200] },
  { latDegrees: 60.2, lonDegrees: 25.2, velocity: [-150, 120] },
  { latDegrees: 59.9, lonDegrees: 24.8, velocity: [120, 150] },
]
export const toIcao = (number: number) => `46000${number}`
export const metresPerDegree = 111_195

interface Other extends GivenReception {
  hasAddresses?: boolean
  northMetres?: number
  aheadSeconds?: number
}

/** An ADS-B receiver, and another sensor that begins `from`. */
export function runBesideAdsb(
  tracker: Correlator,
  seconds: number,
  { hasAddresses, northMetres = 0, aheadSeconds = 0, ...other }: Other,
) {
  for (let second = 0; second < seconds; second++) {
    for (const [number, flight] of flights.entries()) {
      tracker.observe(aReception({ sensor: 'adsb', icao: toIcao(number), ...at(flight, second) }))
      const place = at(flight, second)
      tracker.observe(
        aReception({
          sensor: 'other',
          sourceId: String(number),
          ...(hasAddresses && { icao: toIcao(number) }),
          ...place,
          latDegrees: place.latDegrees + northMetres / metresPerDegree,
          seconds: second + aheadSeconds,
          lagSeconds: 0.3 - aheadSeconds,
          accuracyMetres: 60,
          ...other,
        }),
      )
    }
    tick(tracker, second)
  }
  return tracker.snapshot().sensors.find(({ deviceUrn }) => deviceUrn.endsWith('other'))
}
