/** Radars that are slow, plots that are false, and targets that turn. */
import { fly } from './flights.ts'
import type { Scenario } from './scenario.ts'
import { adsb, observe, radar, type Sensor } from './sensors.ts'
import { toAddress } from './traffic.ts'

const airliners = () =>
  Array.from({ length: 4 }, (_, number) =>
    fly({
      identity: toAddress(number),
      eastMetres: -30_000,
      northMetres: 12_000 * (number - 1.5),
      pressureMetres: 9_000 + 600 * number,
      courseDegrees: 80 + 7 * number,
      speedMetresPerSecond: 220,
      legs: [{ seconds: 330 }],
    }),
  )

function straight(name: string, sensor: Sensor): Scenario {
  return {
    name,
    make(seed) {
      const targets = airliners()
      return { targets, sightings: observe(targets, [sensor], 300, seed) }
    },
  }
}

export const radar8 = straight('radar-of-8-s', { ...radar, intervalSeconds: 8 })
export const radar12 = straight('radar-of-12-s', { ...radar, intervalSeconds: 12 })
export const falsePlots8 = straight('five-false-plots-a-scan-of-8-s', {
  ...radar,
  intervalSeconds: 8,
  falsePlotsPerScan: 5,
})
export const falsePlots = straight('five-false-plots-a-scan', { ...radar, falsePlotsPerScan: 5 })

function circling(name: string, sensor: Sensor, turnDegreesPerSecond: number): Scenario {
  return {
    name,
    make(seed) {
      const targets = [
        fly({
          identity: toAddress(0),
          eastMetres: 0,
          northMetres: 0,
          pressureMetres: 3_000,
          courseDegrees: 0,
          speedMetresPerSecond: 120,
          legs: [{ seconds: 60 }, { seconds: 360, turnDegreesPerSecond }],
        }),
      ]
      return { targets, sightings: observe(targets, [sensor], 400, seed) }
    },
  }
}

export const circlingRadar = circling('circling-on-radar', radar, 3)
export const turningAdsb = circling('circling-on-adsb', adsb, 3)
