/** One position as a sensor sent it, with what only the bench knows: whose it is, and when it was measured. */
import type { PositionData, PositionReport } from '@posrep/spec'

export interface Sighting {
  receiver: string
  receivedAtMs: number
  data: PositionData
  /** What the sensor says of itself. */
  sensor?: PositionReport['sensor']
  /** Of the true target; undefined for a false plot. */
  identity: string | undefined
  /** It has no identifiers. */
  isHidden: boolean
  trueMs: number
}
