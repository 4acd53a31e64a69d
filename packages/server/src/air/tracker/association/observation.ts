/** A reception, as the steps of the tracker read it. */
import type { Reception } from '../../track.ts'
import type { Measured } from '../filter/motion.ts'
import type { Sensor } from '../sensors.ts'

export interface Observation {
  reception: Reception
  sensor: Sensor
  measured: Measured
  /** Undefined if the sensor sends none, or one that is too long to keep. */
  sourceId: string | undefined
}
