/**
 * Limits the WAL: copies committed pages from it into the database.
 * A thread of its own does most of that while commits go on. What these have added meanwhile is written here, between two
 * commits: only when nothing is left does the file beside start from its beginning again.
 * In: the word that something was committed. Out: nothing, unless the disk is not to be trusted any more.
 */
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { CheckpointReply, CheckpointThreadData } from './checkpoint-thread.ts'
import type { Database } from './database.ts'
import { isFatal } from './failure.ts'

export interface Checkpoints {
  committed(): void
  /** Closes the database, too, in between: see `descriptor`. */
  close(): Promise<void>
}

export interface CheckpointsOptions {
  database: Database
  file: string
  onFatal(error: unknown): void
}

/** How often to look how much there is to write, and from how much on it is written. */
const weighEveryCommits = 8
const checkpointBytes = 32 * 1024 * 1024

/** From source the thread runs the source, as built it runs what was built. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./checkpoint-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#sqlite-checkpoint-thread'))

export function createCheckpoints({ database, file, onFatal }: CheckpointsOptions): Checkpoints {
  /** Started when there is something for it to do, which on most servers there never is. */
  let thread: Worker | undefined
  /** Closing any descriptor of a file gives up all locks that the process has on it, so this one outlives the database. */
  let descriptor: number | undefined
  let isUnderWay = false
  let commits = 0

  function start(): Worker {
    descriptor ??= openSync(file, 'r+')
    const worker = new Worker(threadUrl, { workerData: { file, descriptor } satisfies CheckpointThreadData })
    worker.unref()
    worker.on('message', ({ fatal }: CheckpointReply) => {
      if (fatal) onFatal(fatal)
      else finish()
    })
    // One that failed is not missed: then all of it is done here, and the next time a new thread has a try.
    worker.on('error', () => {})
    worker.on('exit', () => {
      thread = undefined
      if (isUnderWay) finish()
    })
    return worker
  }

  function finish(): void {
    isUnderWay = false
    orLater(() => database.checkpoint())
  }

  function begin(): void {
    if (database.bytesToCheckpoint() <= checkpointBytes) return
    try {
      thread ??= start()
      isUnderWay = true
      thread.postMessage('begin')
    } catch {
      finish()
    }
  }

  /** Where there is no room, or somebody holds the file, what was committed stays where it is until the next time. */
  function orLater(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (isFatal(error)) onFatal(error)
    }
  }

  return {
    committed() {
      if (isUnderWay || ++commits < weighEveryCommits) return
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
