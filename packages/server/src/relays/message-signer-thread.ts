/** The thread of `message-signer.ts`. In: texts, one after the other. Out: for each batch their signatures, in one text. */
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { findSigning, type Sign } from './ed25519.ts'
import type { SigningBatch } from './message-signer.ts'

/** Steps below the event loop: of a core that both want it gets a tenth. What is signed ahead has time. */
const nice = 10
const lowest = 19

const toSign = await findSigning()
let sign: Sign | undefined

/** On Linux a thread has a priority of its own; elsewhere it would be that of the process. */
function stepBack(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(lowest, getPriority() + nice))
  } catch {
    // Forbidden here: it signs all the same.
  }
}

parentPort?.on('message', ({ key, texts, ends }: SigningBatch) => {
  if (key) sign = toSign(key)
  let start = 0
  const signatures = ends.map((end) => {
    // The first batch brings a key.
    const signature = sign?.(texts.subarray(start, end)).toString('base64')
    start = end
    return signature
  })
  parentPort?.postMessage(signatures.join(''))
})
stepBack()
parentPort?.postMessage('ready')
