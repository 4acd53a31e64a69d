/** The HTTP face of submitted reports (specification, "Surveillance ingest"). */
import type { PositionReport } from '@posrep/spec'
import { localIdOf } from '../devices/local-id.ts'
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import { getDeviceOf } from '../http/principal.ts'
import { findTrace } from '../http/traceparent.ts'
import type { Meter } from '../ports/meter.ts'
import type { BackPressure } from './back-pressure.ts'

export interface ReportOperationsOptions {
  append: BackPressure['append']
  /** What the pipeline needs of a report, made here, where it is parsed anyway. */
  summarise(report: PositionReport, isMended: boolean, trace: string | undefined): unknown
  meter: Meter
}

export function reportOperations({
  append,
  summarise,
  meter,
}: ReportOperationsOptions): Pick<Handlers, 'submitPositionReport'> {
  return {
    async submitPositionReport(request) {
      const { deviceUrn } = getDeviceOf(request)
      const { body: report, text, isMended = false, headers } = request
      checkSensor(deviceUrn, report.sensor?.id)
      const positions = report.positions.length
      const value = summarise(report, isMended, findTrace(headers.traceparent))
      // Durable first, answer second. What is logged is what was submitted, unknown members included.
      await append({ line: deviceUrn, body: text, value })
      meter.accepted(1, positions)
      return { status: 202 }
    },
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
