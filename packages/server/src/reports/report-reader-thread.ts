/**
 * The thread of `report-readers.ts`.
 * In: the bytes of bodies. Out: the summary of each body, in order; undefined for a body that is not valid or that
 * repeats a member name.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { parseJson } from '../http/body/json-body.ts'
import { bundledDocument, operationsOf } from '../http/operation/openapi-document.ts'
import { compileCheckRequest } from '../http/validation/request-validator.ts'
import type { ReportSummary } from '../ports/report-summary.ts'
import { mendReport } from './mend/mend-report.ts'
import type { ReaderData } from './report-readers.ts'
import { summarise } from './report-summary.ts'

const operation = operationsOf(bundledDocument).find(({ operationId }) => operationId === 'submitPositionReport')
if (!operation) throw new Error('The document has no operation "submitPositionReport"')
const checkRequest = compileCheckRequest(bundledDocument, operation)
// `report-readers.ts` starts the thread with this.
const { mends } = workerData as ReaderData

function read(bytes: Buffer): ReportSummary | undefined {
  try {
    const { value: submitted, isVerbatim } = parseJson(bytes)
    const { value, mended } = mends ? mendReport(submitted) : { value: submitted, mended: [] }
    checkRequest({ body: value })
    // `checkRequest` has checked that it is a report.
    return isVerbatim ? summarise(value as Parameters<typeof summarise>[0], mended.length > 0) : undefined
  } catch {
    // The caller reads the body again and answers with the error.
    return undefined
  }
}

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  parentPort?.postMessage(read(Buffer.from(bytes.buffer)))
})
parentPort?.postMessage('ready')
