/** What the ingest needs of a report to accept it. A thread that reads a large report sends it back instead of the report. */
export interface ReportDigest {
  /** The sensor that the report names. */
  sensorId: string | undefined
  /** Their number. */
  positions: number
  /** Trace context of the request that submitted the report, as `findTrace` returns it; it is not in the report's text. */
  trace?: string | undefined
}
