/**
 * Limits the size of the WAL: copies committed pages from it into the database.
 * A separate thread copies most pages while commits continue. This thread then copies the pages of those commits,
 * between two commits, because SQLite starts the WAL from its beginning only when no page is left.
 * In: a call after each commit. Out: `onFatal` when the disk has failed.
 */
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { CheckpointReply, CheckpointThreadData } from './checkpoint-thread.ts'
import type { Database } from './database.ts'
import { isFatal } from './failure.ts'

export interface Checkpoints {
  committed(): void
  /** Also closes the database, before `descriptor` is closed. */
  close(): Promise<void>
}

export interface CheckpointsOptions {
  database: Database
  file: string
  onFatal(error: unknown): void
}

/** How often the size of the WAL is checked, and the size at which a checkpoint begins. */
const checkEveryCommits = 8
const checkpointBytes = 32 * 1024 * 1024

/** The thread runs the source file when this is a source file, otherwise the built file. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./checkpoint-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#sqlite-checkpoint-thread'))

export function createCheckpoints({ database, file, onFatal }: CheckpointsOptions): Checkpoints {
  /** Started when it is first needed. Most servers never need it. */
  let thread: Worker | undefined
  /**
   * Closed after the database, because closing any descriptor of a file releases all locks that the process has on the
   * file.
   */
  let descriptor: number | undefined
  let isRunning = false
  let commits = 0

  function start(): Worker {
    descriptor ??= openSync(file, 'r+')
    const worker = new Worker(threadUrl, { workerData: { file, descriptor } satisfies CheckpointThreadData })
    worker.unref()
    worker.on('message', ({ fatal }: CheckpointReply) => {
      if (fatal) onFatal(fatal)
      else finish()
    })
    // If the thread fails, this thread does all of the checkpoint, and the next checkpoint starts a new thread.
    worker.on('error', () => {})
    worker.on('exit', () => {
      thread = undefined
      if (isRunning) finish()
    })
    return worker
  }

  function finish(): void {
    isRunning = false
    orLater(() => database.checkpoint())
  }

  function begin(): void {
    if (database.bytesToCheckpoint() <= checkpointBytes) return
    try {
      thread ??= start()
      isRunning = true
      thread.postMessage('begin')
    } catch {
      finish()
    }
  }

  /** When the disk is full or the file is locked, committed pages stay in the WAL until the next checkpoint. */
  function orLater(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (isFatal(error)) onFatal(error)
    }
  }

  return {
    committed() {
      if (isRunning || ++commits < checkEveryCommits) return
      commits = 0
      orLater(begin)
    },
    async close() {
      if (thread) {
        thread.postMessage('close')
        await once(thread, 'exit')
      }
      database.close()
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}
