/**
 * Tags what is noteworthy about a report, without changing it.
 * `not-mapped`: a position lacks the specification's minimum content for the map view. `late` and `clock-skew`: its time is
 * far behind or ahead of its reception. `datum-not-msl`: the sensor's altitude has another datum than recommended.
 */
import type { Stage } from '../stage.ts'

const lateAfterMs = 5 * 60_000
const skewAfterMs = 60_000

export const tagReports: Stage = {
  name: 'tag',
  run(reports) {
    for (const { summary, receivedAtMs, tags } of reports) {
      const { earliestMs, latestMs, isMapped, sensorDatum } = summary
      if (latestMs - receivedAtMs > skewAfterMs) tags.add('clock-skew')
      if (receivedAtMs - earliestMs > lateAfterMs) tags.add('late')
      if (!isMapped) tags.add('not-mapped')
      if (sensorDatum !== undefined && sensorDatum !== 'msl') tags.add('datum-not-msl')
    }
  },
}
