/** The HTTP face of submitted reports (specification, "Surveillance ingest"). */
import type { PositionReport } from '@posrep/spec'
import { localIdOf } from '../devices/local-id.ts'
import { ApiError } from '../errors.ts'
import type { Answer, Handlers, OperationRequest } from '../http/operation.ts'
import { getDeviceOf } from '../http/principal.ts'
import { findTrace } from '../http/traceparent.ts'
import type { NewEntry } from '../ports/log.ts'
import type { Meter } from '../ports/meter.ts'
import type { BackPressure } from './back-pressure.ts'

/** What is to be known of a report to take it; whoever reads it in another thread gives it as the request's `digest`. */
export interface ReportDigest {
  /** The sensor that it names. */
  sensorId: string | undefined
  /** How many. */
  positions: number
  /** Of the request that submitted it, as `findTrace` says it. */
  trace?: string | undefined
}

export interface ReportOperationsOptions {
  append: BackPressure['append']
  /** What the pipeline needs of a report, made here, where it is parsed anyway. */
  summarise(report: PositionReport, isMended: boolean): ReportDigest
  meter: Meter
}

export function reportOperations({
  append,
  summarise,
  meter,
}: ReportOperationsOptions): Pick<Handlers, 'submitPositionReport'> {
  function digestOf(request: OperationRequest<'submitPositionReport'>): ReportDigest {
    // Whoever reads reports elsewhere makes the same of them.
    if (request.digest !== undefined) return request.digest as ReportDigest
    return summarise(request.body, request.isMended ?? false)
  }

  return {
    async submitPositionReport(request) {
      const { deviceUrn } = getDeviceOf(request)
      const summary = digestOf(request)
      checkSensor(deviceUrn, summary.sensorId)
      summary.trace = findTrace(request.headers)
      // What is logged is what was submitted, unknown members included. Nothing waits for it that has the parsed report,
      // which takes several times the room of its text.
      return accept({ line: deviceUrn, body: request.sent, value: summary }, summary.positions)
    },
  }

  /** Durable first, answer second. */
  async function accept(entry: NewEntry, positions: number): Promise<Answer<'submitPositionReport'>> {
    await append(entry)
    meter.accepted(1, positions)
    return { status: 202 }
  }
}

/** @param sensorId The local ID, as specified, or the URN. */
function checkSensor(deviceUrn: string, sensorId: string | undefined): void {
  if (sensorId === undefined || sensorId === localIdOf(deviceUrn) || sensorId === deviceUrn) return
  throw new ApiError('sensor_mismatch', `The token was issued for "${deviceUrn}", the report names another sensor`, {
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
    errors: [
      { pointer: '/sensor/id', code: 'sensor_mismatch', detail: 'must be the sensor for which the token was issued' },
    ],
  })
}
