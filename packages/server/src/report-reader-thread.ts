/**
 * The thread of `report-readers.ts`. In: the bytes of a body, one after the other. Out: for each, in that order, its
 * summary; undefined for one that is not in order word for word.
 */
import { parentPort } from 'node:worker_threads'
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import { compileCheckBody } from './http/body-validator.ts'
import { operationsOf } from './http/document.ts'
import { parseJson, toText } from './http/json-body.ts'
import { type ReportSummary, summarise } from './pipeline/report-summary.ts'

const operation = operationsOf(document).find(({ operationId }) => operationId === 'submitPositionReport')
if (!operation) throw new Error('The document has no operation "submitPositionReport"')
const checkBody = compileCheckBody(document, operation)

function read(bytes: Buffer): ReportSummary | undefined {
  try {
    const { value, text } = parseJson(bytes)
    checkBody(value)
    // It was checked to be one.
    return text === toText(bytes) ? summarise(value as Parameters<typeof summarise>[0], false) : undefined
  } catch {
    // Whoever asked finds out what is wrong with it, and says so.
    return undefined
  }
}

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  parentPort?.postMessage(read(Buffer.from(bytes.buffer)))
})
parentPort?.postMessage('ready')
