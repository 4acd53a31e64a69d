/** The HTTP face of submitted reports (specification, "Surveillance ingest"). */
import { localIdOf } from '../devices/local-id.ts'
import { ApiError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import { getDeviceOf } from '../http/principal.ts'
import type { Meter } from '../ports/meter.ts'
import type { BackPressure } from './back-pressure.ts'

export interface ReportOperationsOptions {
  append: BackPressure['append']
  meter: Meter
}

export function reportOperations({ append, meter }: ReportOperationsOptions): Pick<Handlers, 'submitPositionReport'> {
  return {
    async submitPositionReport(request) {
      const { deviceUrn } = getDeviceOf(request)
      const report = request.body
      checkSensor(deviceUrn, report.sensor?.id)
      // Durable first, answer second. What is logged is what was submitted, unknown members included.
      // The pipeline takes the parsed value over, unless that says more than the text: then it has to find out itself.
      const value = request.isMended ? {} : { value: report }
      await append({ line: deviceUrn, body: request.text, ...value })
      meter.accepted(1, report.positions.length)
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
