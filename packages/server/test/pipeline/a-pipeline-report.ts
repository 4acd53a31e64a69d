/** Creates a report in the pipeline, for tests of stages. A test gives only the properties that matter to it. */
import type { PositionReport } from '@posrep/spec'
import { toPipelineReport } from '../../src/pipeline/pipeline-report.ts'
import type { PipelineReport } from '../../src/pipeline/stage.ts'
import type { DeviceRecord } from '../../src/ports/storage/directory.ts'
import { mendReport } from '../../src/reports/mend/mend-report.ts'
import { aReport } from '../a-report.ts'

export const aDevice: DeviceRecord = {
  id: 'urn:aa:device:fleet:roof1',
  localId: 'roof1',
  name: 'Roof',
  accountId: 'acme',
  clientId: 'fleet',
  createdAtMs: 0,
  storePositionReports: true,
  relay: null,
  blocked: false,
  pairing: 'allowed',
}

export function aPipelineReport({
  report = aReport(),
  device = aDevice,
  seq = 1,
  receivedAtMs = 0,
}: {
  report?: PositionReport
  device?: DeviceRecord
  seq?: number
  receivedAtMs?: number
} = {}): PipelineReport {
  return toPipelineReport({ seq, appendedAtMs: receivedAtMs, body: JSON.stringify(report) }, device, mendReport)
}
