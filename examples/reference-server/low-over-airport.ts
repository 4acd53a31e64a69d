/**
 * A stage of the pipeline: tags reports of aircraft that are low over Helsinki-Vantaa. Tags are stored, shown and
 * relayed.
 */
import type { Stage } from '@posrep/server'

const airport = { latDegrees: 60.3172, lonDegrees: 24.9633 }
const nearDegrees = 0.05
const lowMetres = 300

export const lowOverAirport: Stage = {
  name: 'low-over-airport',
  run(reports) {
    for (const { standard, duplicates, tags } of reports) {
      for (const [index, { latDegrees, lonDegrees, altitudes }] of standard.entries()) {
        if (duplicates.has(index)) continue
        // At 60 degrees north, a degree of longitude is half as long as one of latitude.
        const distance = Math.hypot(latDegrees - airport.latDegrees, (lonDegrees - airport.lonDegrees) / 2)
        const isLow = altitudes.some(({ datum, heightMetres }) => datum === 'msl' && heightMetres < lowMetres)
        if (distance < nearDegrees && isLow) tags.add('low-over-airport')
      }
    }
  },
}
