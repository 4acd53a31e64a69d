import { createSystemClock, resolveSettings, type Stage, startServer } from '@posrep/server'

/** Tags reports of aircraft that are low over the airport. */
const lowOverAirport: Stage = {
  name: 'low-over-airport',
  run(reports) {
    for (const { standard, duplicates, tags } of reports) {
      for (const [index, { latDegrees, lonDegrees, altitudes }] of standard.entries()) {
        if (duplicates.has(index)) continue
        const isNear = Math.hypot(latDegrees - 60.317, (lonDegrees - 24.963) / 2) < 0.05
        const isLow = altitudes.some(({ datum, heightMetres }) => datum === 'msl' && heightMetres < 300)
        if (isNear && isLow) tags.add('low-over-airport')
      }
    }
  },
}

export const server = await startServer({
  settings: resolveSettings({ flags: { memory: true, port: '0' }, environment: {} }),
  clock: createSystemClock(),
  logger: console,
  version: '0.1.0',
  stages: [lowOverAirport],
})
