/** What the ingest has to know of a report to accept it; a thread that has read the report sends this instead of the report. */
export interface ReportDigest {
  /** The sensor that the report names. */
  sensorId: string | undefined
  /** Their number. */
  positions: number
  /** Trace context of the request that submitted the report, as `findTrace` returns it. */
  trace?: string | undefined
}
