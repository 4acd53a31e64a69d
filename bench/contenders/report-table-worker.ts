/** A report table in a thread of its own. In: batches of rows. Out: for each, nothing when it is on the disk, or what went wrong. */
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
