/** What the ingest needs to accept a report. A thread that parses a large report returns this digest, not the report. */
export interface ReportDigest {
  /** The sensor that the report names. */
  sensorId: string | undefined
  /** The number of positions. */
  positions: number
  /** The trace context of the request that submitted the report, from `findTrace`. It is not part of the report's text. */
  trace?: string | undefined
}
