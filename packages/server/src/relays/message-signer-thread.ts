/** The thread of `message-signer.ts`. In: texts, one after the other. Out: for each batch their signatures, in one text. */
import { parentPort } from 'node:worker_threads'
import { findSigning, type Sign } from './ed25519.ts'
import type { SigningBatch } from './message-signer.ts'

const toSign = await findSigning()
let sign: Sign | undefined

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
parentPort?.postMessage('ready')
