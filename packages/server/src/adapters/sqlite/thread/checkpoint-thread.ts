/**
 * The thread of `checkpoints.ts`, with a connection of its own. In: the word to begin, or to close. Out: that it is done, as
 * far as that went, or why nobody should go on.
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
  /** A connection to the same file; the caller closes it. */
  descriptor: number
}

/** Also copies what is committed meanwhile, until so little is left that a commit can wait for it. */
const littleBytes = 1024 * 1024
const mostPasses = 4

const { file, descriptor }: CheckpointThreadData = workerData
const database = openDatabase(file, 'tool')

function checkpoint(): CheckpointReply {
  try {
    for (let pass = 0; pass < mostPasses; pass++) {
      database.checkpoint()
      if (database.bytesToCheckpoint() < littleBytes) break
    }
  } catch (error) {
    // No room, or somebody holds the file: what was committed stays where it is until the next time.
    return error instanceof Error && isFatal(error) ? { fatal: error } : {}
  }
  return sync()
}

/** SQLite leaves this to the checkpoint that leaves nothing, which is the one that commits wait for. */
function sync(): CheckpointReply {
  try {
    fsyncSync(descriptor)
    return {}
  } catch (cause) {
    return { fatal: new Error(`"${file}" could not be brought to the disk`, { cause }) }
  }
}

parentPort?.on('message', (message: 'begin' | 'close') => {
  if (message === 'begin') return parentPort?.postMessage(checkpoint())
  database.close()
  parentPort?.close()
})
