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
    for (const { report, receivedAtMs, tags } of reports) {
      for (const position of report.positions) {
        const aheadMs = toMs(position.sourceTimeStamp) - receivedAtMs
        if (aheadMs > skewAfterMs) tags.add('clock-skew')
        if (aheadMs < -lateAfterMs) tags.add('late')
        if (!hasMapContent(position)) tags.add('not-mapped')
      }
      const datum = report.sensor?.sensorPosition?.altitude?.datum
      if (datum !== undefined && datum !== 'msl') tags.add('datum-not-msl')
    }
  },
}

/** An object on the ground needs no velocity. */
function hasMapContent({ target, altitudes = [], groundVelocity, onGround }: PositionData): boolean {
  const { x, y, z } = groundVelocity ?? {}
  const moving = x !== undefined && y !== undefined && z !== undefined
  const identified = target?.ids?.some(({ type }) => type !== undefined) === true
  return identified && altitudes.length > 0 && (moving || onGround === true)
}

/** A time without offset is UTC; a leap second counts as the second before it. */
function toMs(sourceTimeStamp: string): number {
  const upper = sourceTimeStamp.toUpperCase().replace(/:60(?=[.Z+-]|$)/, ':59')
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(upper) ? upper : `${upper}Z`)
}
