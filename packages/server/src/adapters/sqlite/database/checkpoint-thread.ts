/**
 * The thread of `checkpoints.ts`, with its own connection. In: the message to begin, or to close. Out: a reply when the
 * checkpoint has ended, complete or not; it contains the error if the process must end.
 */
import { fsyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { isFatal } from './failure.ts'

export interface CheckpointReply {
  fatal?: Error
}

export interface CheckpointThreadData {
  file: string
  /** An open descriptor of the same file; the caller closes it. */
  descriptor: number
}

/** The checkpoint is repeated for new commits until the rest is so small that a commit can wait for it. */
const maxBytesLeft = 1024 * 1024
const maxPasses = 4

const { file, descriptor }: CheckpointThreadData = workerData
const database = openDatabase(file, 'tool')

function checkpoint(): CheckpointReply {
  try {
    for (let pass = 0; pass < maxPasses; pass++) {
      database.checkpoint()
      if (database.bytesToCheckpoint() < maxBytesLeft) break
    }
  } catch (error) {
    // The disk is full or the file is locked: committed pages stay in the WAL until the next checkpoint.
    return error instanceof Error && isFatal(error) ? { fatal: error } : {}
  }
  return sync()
}

/** SQLite syncs only at the end of a complete checkpoint, which commits wait for. This sync makes that one short. */
function sync(): CheckpointReply {
  try {
    fsyncSync(descriptor)
    return {}
  } catch (cause) {
    return { fatal: new Error(`"${file}" could not be synced to disk`, { cause }) }
  }
}

parentPort?.on('message', (message: 'begin' | 'close') => {
  if (message === 'begin') return parentPort?.postMessage(checkpoint())
  database.close()
  parentPort?.close()
})
