/** The HTTP operation that submits reports (specification, "Surveillance ingest"). */
import type { PositionReport } from '@posrep/spec'
import { ApiError } from '../errors.ts'
import { findTrace } from '../http/headers/traceparent.ts'
import type { Answer, Handlers } from '../http/operation/operation.ts'
import { getDeviceOf } from '../http/operation/principal.ts'
import type { Meter } from '../ports/meter.ts'
import type { ReportSummary } from '../ports/report-summary.ts'
import type { NewEntry } from '../ports/storage/log.ts'
import type { BackPressure } from './back-pressure.ts'
import { matchSensor } from './own-sensor.ts'

export interface ReportOperationsOptions {
  append: BackPressure['append']
  /** Makes the summary for the pipeline, so that the pipeline does not parse the report again. */
  summarise(report: PositionReport, isMended: boolean): ReportSummary
  meter: Meter
  /** Whether the compat profile is on. */
  mends: boolean
}

export function reportOperations({
  append,
  summarise,
  meter,
  mends,
}: ReportOperationsOptions): Pick<Handlers, 'submitPositionReport'> {
  return {
    async submitPositionReport(request) {
      const { deviceUrn } = getDeviceOf(request)
      const summary = request.summary ?? summarise(request.body, request.isMended ?? false)
      const isOwnMended = checkSensor(deviceUrn, summary.sensorId)
      const isMended = summary.isMended || isOwnMended
      const value = { ...summary, isMended, trace: findTrace(request.headers) }
      // The log stores the report as submitted, with unknown members. No reference to the parsed report is kept while
      // the log writes, because the parsed report needs several times the memory of its text.
      return accept({ queue: deviceUrn, body: request.sent, value }, summary.positions)
    },
  }

  /** Answers after the report is durable. */
  async function accept(entry: NewEntry, positions: number): Promise<Answer<'submitPositionReport'>> {
    await append(entry)
    meter.accepted(1, positions)
    return { status: 202 }
  }

  /** Returns whether the ID of the sensor was mended. */
  function checkSensor(deviceUrn: string, sensorId: string | undefined): boolean {
    const match = matchSensor(deviceUrn, sensorId)
    if (match === 'other' || (match === 'own-without-imei' && !mends)) throw mismatch(deviceUrn)
    return match === 'own-without-imei'
  }
}

function mismatch(deviceUrn: string): ApiError {
  return new ApiError(
    'sensor_mismatch',
    `The token was issued for "${deviceUrn}", but the report names another sensor`,
    {
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
      errors: [
        { pointer: '/sensor/id', code: 'sensor_mismatch', detail: 'must be the sensor for which the token was issued' },
      ],
    },
  )
}
