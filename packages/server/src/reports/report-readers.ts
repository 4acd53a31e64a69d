/**
 * Reads large reports in threads, so that other requests do not wait and several cores are used.
 * In: the bytes of a body. Out: its summary; undefined when the caller must read the body itself (see `ReadInThread`).
 * See docs/decisions/0034-large-reports-in-threads.md.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ReadInThread } from '../http/body/request-body.ts'
import type { Logger } from '../ports/logger.ts'
import type { ReportSummary } from '../ports/report-summary.ts'

export interface ReportReaders {
  read: ReadInThread
  close(): Promise<void>
}

/** The `workerData` of a thread. */
export interface ReaderData {
  mends: boolean
}

export interface ReportReadersOptions {
  logger: Logger
  /** Mend reports, as the compat profile does. Default false. */
  mends?: boolean
  /** Default: the number of cores minus 1, at most 4. */
  threads?: number
}

interface Reader {
  worker: Worker
  isReady: boolean
  /** Bodies that have no answer yet, in the order in which they were sent. */
  waiting: { bytes: number; resolve(summary: ReportSummary | undefined): void }[]
  waitingBytes: number
}

/** Sending a smaller body to a thread costs more than reading it. */
const largeFromBytes = 16 * 1024
const maxThreads = 4
/** Limit of waiting bytes per thread. When all threads are at the limit, the caller reads the body. */
const maxWaitingBytes = 1536 * 1024

/** The thread runs from source if this module does, and from the build otherwise. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./report-reader-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#report-reader-thread'))

export function createReportReaders({
  logger,
  mends = false,
  threads = Math.min(maxThreads, availableParallelism() - 1),
}: ReportReadersOptions): ReportReaders {
  const readers: Reader[] = []
  /** Includes threads that failed, which are not replaced. */
  let started = 0

  function start(): void {
    started++
    const worker = new Worker(threadUrl, { workerData: { mends } satisfies ReaderData })
    const reader: Reader = { worker, isReady: false, waiting: [], waitingBytes: 0 }
    readers.push(reader)
    worker.unref()
    worker.once('message', () => {
      reader.isReady = true
      worker.on('message', (summary: ReportSummary | undefined) => {
        const answered = reader.waiting.shift()
        reader.waitingBytes -= answered?.bytes ?? 0
        answered?.resolve(summary)
      })
    })
    worker.once('error', (error) =>
      logger.error({ err: error }, 'a thread that reads reports failed; the main thread reads large reports instead'),
    )
    worker.once('exit', () => {
      readers.splice(readers.indexOf(reader), 1)
      for (const { resolve } of reader.waiting) resolve(undefined)
    })
  }

  /** Returns the thread with the fewest waiting bytes. */
  function findFree(bytes: number): Reader | undefined {
    let free: Reader | undefined
    for (const reader of readers) {
      if (!reader.isReady || reader.waitingBytes + bytes > maxWaitingBytes) continue
      if (!free || reader.waitingBytes < free.waitingBytes) free = reader
    }
    return free
  }

  return {
    read(bytes) {
      if (bytes.length < largeFromBytes) return undefined
      if (started < threads) start()
      const reader = findFree(bytes.length)
      if (!reader) return undefined
      const copy = new Uint8Array(bytes)
      reader.worker.postMessage(copy, [copy.buffer])
      reader.waitingBytes += bytes.length
      return new Promise((resolve) => reader.waiting.push({ bytes: bytes.length, resolve }))
    },
    async close() {
      started = threads
      await Promise.all(readers.map(({ worker }) => worker.terminate()))
    },
  }
}
