/**
 * The thread of `start-air-thread.ts`: computes the air pictures, so that requests do not wait for it.
 * In: `ToThread` messages. Out: `FromThread` messages.
 */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { mendReport } from '../../reports/mend/mend-report.ts'
import { createAirEngine, toReason } from './air-engine.ts'
import type { AirThreadData, FromThread, ToThread } from './messages.ts'
import { guardTerrain, importTerrain } from './terrain.ts'

// `start-air-thread.ts` starts the thread with this.
const { terrainUrl, atWork, ...options } = workerData as AirThreadData
const port = parentPort
if (!port) throw new Error('This file is for a worker thread')

// On Linux a priority is that of the calling thread: the ingest goes first. Elsewhere it would be that of the process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

const given = terrainUrl === undefined ? undefined : await importTerrain(new URL(terrainUrl))
const terrain = given && guardTerrain(given, (error) => send({ kind: 'terrainFailed', error: toReason(error) }))

const engine = createAirEngine({
  ...options,
  terrain,
  mend: mendReport,
  send,
  elapsedMs: () => performance.now(),
  onWork: (requestId) => void Atomics.store(atWork, 0, requestId),
})
let isScheduled = false

/** One portion per step of the event loop, so that messages are read in between. */
function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    if (engine.work()) schedule()
  })
}

port.on('message', (message: ToThread) => {
  engine.receive(message)
  schedule()
})

function send(message: FromThread): void {
  port?.postMessage(message)
}
