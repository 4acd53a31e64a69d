/** The thread of `message-signer.ts`. In: texts, one after the other. Out: for each batch their signatures, in one text. */
import { type KeyObject, sign } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { SigningBatch } from './message-signer.ts'

let key: KeyObject | undefined

parentPort?.on('message', ({ key: latest, texts, ends }: SigningBatch) => {
  key = latest ?? key
  // The first batch brings one.
  const signing = key as KeyObject
  let start = 0
  const signatures = ends.map((end) => {
    const signature = sign(null, texts.subarray(start, end), signing).toString('base64')
    start = end
    return signature
  })
  parentPort?.postMessage(signatures.join(''))
})
parentPort?.postMessage('ready')
