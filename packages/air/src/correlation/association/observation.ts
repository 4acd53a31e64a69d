/** A reception, as the steps of the tracker read it. */
import type { Reception } from '../../track/track.ts'
import type { Measured } from '../filter/innovation.ts'
import type { Sensor } from '../sensors/sensor.ts'

export interface Observation {
  reception: Reception
  sensor: Sensor
  /** At the time of the measurement: the report's time less the age of the position. */
  measured: Measured
  /** The time of the report, by the clock of the service. */
  reportMs: number
  /** Of the altitudes of the position: the report's time less their ages. */
  altitudeTimesMs: readonly number[]
  /** Undefined if the sensor sends none, or one that cannot be kept. */
  sourceId: string | undefined
}
