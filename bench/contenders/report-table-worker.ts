/**
 * A report table in a worker thread. In: batches of rows. Out: a message per batch, empty after the commit or with the
 * error.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openReportTable, type Row } from './report-table.ts'

const { appendAll } = openReportTable(workerData)
parentPort?.on('message', (rows: Row[]) => {
  try {
    appendAll(rows)
    parentPort?.postMessage(undefined)
  } catch (error) {
    parentPort?.postMessage(String(error))
  }
})
