/**
 * The facts of a report that the ingest and the built-in stages need: a few kB, while the parsed report takes hundreds
 * of kB. The thread that parses a large report returns its summary, not the report.
 */
export interface ReportSummary {
  /** The sensor that the report names. */
  sensorId: string | undefined
  /** The number of positions. */
  positions: number
  /** Whether the compat profile mended the report. */
  isMended: boolean
  /** Whether all positions have the specification's minimum content for the map view. */
  isMapped: boolean
  /** Whether a time has no offset; it is read as UTC. */
  isWithoutOffset: boolean
  /** Datum of the altitude of the sensor itself. */
  sensorDatum: string | undefined
  /** Times of the positions, in ms since the epoch. */
  earliestMs: number
  latestMs: number
  /** Id and time of each position as one text. */
  keys: readonly string[]
  /** `toIdentityText` of the positions; the id of the delivery is a hash of it. */
  identityText: string
  /**
   * The trace context of the request that submitted the report, from `findTrace`. It is not part of the report's text.
   */
  trace?: string | undefined
}
