/** What the page of the air picture shows of a sensor besides the picture. Used by the browser and by the server. */
import type { RefusedReport } from '@posrep/spec'

export interface SensorRecord {
  name: string
  /** The last one. */
  refused: RefusedReport | null
}
