/**
 * Reports that arrive together share a commit: in this thread, which stands still meanwhile, or in one beside it.
 * In: rows, one at a time. Out: a promise for each, which resolves when it is on the disk.
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

/** All that a turn of the event loop has read is one transaction. */
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

/** All that arrives while a commit is under way is the next transaction. */
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
