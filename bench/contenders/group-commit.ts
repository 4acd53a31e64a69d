/**
 * Batches concurrent reports into one commit, in this thread, which blocks, or in a worker.
 * In: rows. Out: a promise per row, which resolves when the row is on the disk.
 */
import { Worker } from 'node:worker_threads'
import type { ReportTable, Row } from './report-table.ts'

export interface GroupCommit {
  append(row: Row): Promise<void>
}

interface Waiting {
  row: Row
  committed(): void
  failed(error: unknown): void
}

/** The reports read in one iteration of the event loop form a transaction. */
export function commitHere({ appendAll }: ReportTable): GroupCommit {
  let waiting: Waiting[] = []
  function commit(): void {
    const batch = waiting
    waiting = []
    try {
      appendAll(batch.map(({ row }) => row))
      for (const { committed } of batch) committed()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }
  return {
    append: (row) =>
      new Promise((committed, failed) => {
        waiting.push({ row, committed, failed })
        if (waiting.length === 1) setImmediate(commit)
      }),
  }
}

/** The reports that arrive during a commit form the next transaction. */
export function commitBeside(program: URL, folder: string): GroupCommit {
  const worker = new Worker(program, { workerData: folder })
  let waiting: Waiting[] = []
  let underWay: Waiting[] = []
  function commit(): void {
    underWay = waiting
    waiting = []
    worker.postMessage(underWay.map(({ row }) => row))
  }
  worker.on('message', (error: string | undefined) => {
    const batch = underWay
    underWay = []
    for (const { committed, failed } of batch) error === undefined ? committed() : failed(new Error(error))
    if (waiting.length > 0) commit()
  })
  return {
    append: (row) =>
      new Promise((committed, failed) => {
        waiting.push({ row, committed, failed })
        if (waiting.length === 1 && underWay.length === 0) setImmediate(commit)
      }),
  }
}
