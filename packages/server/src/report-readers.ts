/**
 * Threads that read large reports, so that no other request waits for one, and the other cores of the machine help.
 * In: the bytes of a body. Out: its summary; undefined for what is to be read where it came in (`ReadElsewhere`).
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ReadElsewhere } from './http/lane.ts'
import type { ReportSummary } from './pipeline/report-summary.ts'
import type { Logger } from './ports/logger.ts'

export interface ReportReaders {
  read: ReadElsewhere
  close(): Promise<void>
}

/** What a thread is started with. */
export interface ReaderData {
  mends: boolean
}

export interface ReportReadersOptions {
  logger: Logger
  /** What real senders get wrong, as the compat profile does. Default false. */
  mends?: boolean
  /** Default: one less than the machine has cores, and 4 at most. */
  threads?: number
}

interface Reader {
  worker: Worker
  isReady: boolean
  /** What it was given and has not answered, in that order. */
  waiting: { bytes: number; resolve(summary: ReportSummary | undefined): void }[]
  waitingBytes: number
}

/** Reading less than this costs less than sending it to and fro. */
const largeFromBytes = 16 * 1024
const mostThreads = 4
/** That wait for one thread. What is more is read where it came in: then neither thread waits for the other. */
const mostWaitingBytes = 1536 * 1024

/** From source the thread runs the source, as built it runs what was built. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./report-reader-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#report-reader-thread'))

export function createReportReaders({
  logger,
  mends = false,
  threads = Math.min(mostThreads, availableParallelism() - 1),
}: ReportReadersOptions): ReportReaders {
  const readers: Reader[] = []
  /** A thread that failed is not replaced: what it cannot do is done where it came in. */
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
    worker.once('error', (error) => logger.error({ err: error }, 'a thread that reads reports has failed'))
    worker.once('exit', () => {
      readers.splice(readers.indexOf(reader), 1)
      for (const { resolve } of reader.waiting) resolve(undefined)
    })
  }

  /** The one with the least to do. */
  function findFree(bytes: number): Reader | undefined {
    let free: Reader | undefined
    for (const reader of readers) {
      if (!reader.isReady || reader.waitingBytes + bytes > mostWaitingBytes) continue
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
