/**
 * Adds tags to reports. It does not change the reports.
 * `not-mapped`: a position lacks the specification's minimum content for the map view. `late`, `clock-skew`: the time
 * of a position is long before, or after, its reception. `datum-not-msl`: the sensor's altitude does not use the
 * recommended datum. `no-offset`: a time does not say how far it is from UTC.
 */
import type { Stage } from '../stage.ts'

const lateAfterMs = 5 * 60_000
const skewAfterMs = 60_000

export const tagReports: Stage = {
  name: 'tag',
  run(reports) {
    for (const { summary, receivedAtMs, tags } of reports) {
      const { earliestMs, latestMs, isMapped, isWithoutOffset, sensorDatum } = summary
      if (latestMs - receivedAtMs > skewAfterMs) tags.add('clock-skew')
      if (receivedAtMs - earliestMs > lateAfterMs) tags.add('late')
      if (!isMapped) tags.add('not-mapped')
      if (sensorDatum !== undefined && sensorDatum !== 'msl') tags.add('datum-not-msl')
      if (isWithoutOffset) tags.add('no-offset')
    }
  },
}
