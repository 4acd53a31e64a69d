/**
 * Tags what is noteworthy about a report, without changing it.
 * `not-mapped`: a position lacks the specification's minimum content for the map view. `late` and `clock-skew`: its time is
 * far behind or ahead of its reception. `datum-not-msl`: the sensor's altitude has another datum than recommended.
 */
import type { PositionData } from '@posrep/spec'
import type { Stage } from './stage.ts'

const lateAfterMs = 5 * 60_000
const skewAfterMs = 60_000

export const tagReports: Stage = {
  name: 'tag',
  run(reports) {
    for (const { report, timesMs, receivedAtMs, tags } of reports) {
      if (timesMs.some((timeMs) => timeMs - receivedAtMs > skewAfterMs)) tags.add('clock-skew')
      if (timesMs.some((timeMs) => receivedAtMs - timeMs > lateAfterMs)) tags.add('late')
      if (!report.positions.every(hasMapContent)) tags.add('not-mapped')
      const datum = report.sensor?.sensorPosition?.altitude?.datum
      if (datum !== undefined && datum !== 'msl') tags.add('datum-not-msl')
    }
  },
}

/** An object on the ground needs no velocity. */
function hasMapContent({ target, altitudes, groundVelocity, onGround }: PositionData): boolean {
  const moving = groundVelocity?.x !== undefined && groundVelocity.y !== undefined && groundVelocity.z !== undefined
  const identified = target?.ids?.some(({ type }) => type !== undefined) === true
  return identified && (altitudes?.length ?? 0) > 0 && (moving || onGround === true)
}
