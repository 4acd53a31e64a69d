/**
 * The thread of `report-readers.ts`. In: the bytes of a body, one after the other. Out: for each, in that order, its
 * summary; undefined for one that is not in order word for word. With `mends` it mends as the compat profile does.
 */
import { parentPort, workerData } from 'node:worker_threads'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import { compileCheckBody } from './http/body-validator.ts'
import { operationsOf } from './http/document.ts'
import { parseJson } from './http/json-body.ts'
import { type ReportSummary, summarise } from './pipeline/report-summary.ts'
import type { ReaderData } from './report-readers.ts'
import { mendReport } from './reports/mend-report.ts'

const operation = operationsOf(document).find(({ operationId }) => operationId === 'submitPositionReport')
if (!operation) throw new Error('The document has no operation "submitPositionReport"')
const checkBody = compileCheckBody(document, operation)
// As `report-readers.ts` starts it.
const { mends } = workerData as ReaderData

function read(bytes: Buffer): ReportSummary | undefined {
  try {
    const { value: submitted, isVerbatim } = parseJson(bytes)
    const { value, mended } = mends ? mendReport(submitted) : { value: submitted, mended: [] }
    checkBody(value)
    // It was checked to be one.
    return isVerbatim ? summarise(value as Parameters<typeof summarise>[0], mended.length > 0) : undefined
  } catch {
    // Whoever asked finds out what is wrong with it, and says so.
    return undefined
  }
}

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  parentPort?.postMessage(read(Buffer.from(bytes.buffer)))
})
parentPort?.postMessage('ready')
