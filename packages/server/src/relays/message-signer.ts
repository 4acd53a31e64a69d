/**
 * Signs relay messages (Ed25519): a third of what the event loop had to do for each of them is done by a thread.
 * In: texts, and the key that signs now. Out: their signatures, base64. Those of a few turns go to the thread together; few
 * cost less to sign here than to send there.
 */
import { type KeyObject, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

export interface MessageSigner {
  /** At once, here. @throws Error when there is no key */
  sign(text: Buffer): string
  /** Of what is sent later. */
  signAhead(text: Buffer): Signing
  close(): Promise<void>
}

/** A signature that is being made. Where it cannot be, whoever sends the text signs it then, and is told why. */
export interface Signing {
  /** Base64; `undefined` until it is made. */
  readonly signature: string | undefined
  /** Resolves when it is, or with `undefined` when it could not be. */
  made(): Promise<string | undefined>
}

export interface MessageSignerOptions {
  /** Asked anew for each signature; it may be rotated. @throws Error when there is none */
  getKey(): KeyObject
  /** Told when the thread has failed; what it cannot do is done here. */
  onError?: (error: unknown) => void
  /** Default true, unless the machine has one core. */
  hasThread?: boolean
  /** So long the thread may take: then it gets no core, or hangs, and what it has is signed here. Default 250. */
  patienceMs?: number
}

/** What the thread signs in one go. */
export interface SigningBatch {
  /** Only when it is another one than before. */
  key?: KeyObject
  /** One after the other. */
  texts: Uint8Array
  /** Where each of them ends. */
  ends: number[]
}

/** Of the thread, for each batch: its signatures, one after the other, each this many characters of base64. */
const signatureLength = 88

interface Batch {
  /** Empty when they were signed here after all. */
  texts: Asked[]
  /** How many the thread signs. */
  count: number
  sentAtMs: number
}

/** Most are looked at when they are made, and nobody waits for them: those need no promise. */
class Asked implements Signing {
  readonly text: Buffer
  signature: string | undefined
  #hasEnded = false
  #waiting: PromiseWithResolvers<string | undefined> | undefined

  constructor(text: Buffer) {
    this.text = text
  }

  async made(): Promise<string | undefined> {
    if (this.#hasEnded) return this.signature
    this.#waiting ??= Promise.withResolvers()
    return this.#waiting.promise
  }

  end(signature: string | undefined): void {
    this.signature = signature
    this.#hasEnded = true
    this.#waiting?.resolve(signature)
  }
}

/** Below both it is done here. */
const batchFromTexts = 4
const batchFromBytes = 32 * 1024
/** Of the event loop: what comes within them goes together. Idle, they pass within microseconds. */
const gatheringTurns = 4
/** While the next ones are signed the first are sent. */
const textsPerBatch = 16
/** That wait for the thread, should it not keep up: a few of each line. What is more is signed here. */
const mostWaiting = 1_024

/** From source the thread runs the source, as built it runs what was built. */
const threadUrl = import.meta.url.endsWith('.ts')
  ? new URL('./message-signer-thread.ts', import.meta.url)
  : new URL(import.meta.resolve('#message-signer-thread'))

export function createMessageSigner({
  getKey,
  onError = () => {},
  hasThread = availableParallelism() > 1,
  patienceMs = 250,
}: MessageSignerOptions): MessageSigner {
  let thread: Worker | undefined
  /** One that failed is not replaced. */
  let mayStart = hasThread
  let isReady = false
  let sentKey: KeyObject | undefined
  /** Neither signed here nor sent to the thread yet. */
  let asked: Asked[] = []
  /** The thread has them, and answers in this order. */
  const batches: Batch[] = []
  let waiting = 0
  /** While the thread has something. */
  let watching: NodeJS.Timeout | undefined
  /** That what is asked has waited to become more. */
  let turns = 0

  function signHere(text: Buffer): string {
    return sign(null, text, getKey()).toString('base64')
  }

  function answerHere(texts: Asked[]): void {
    for (const one of texts) {
      try {
        one.end(signHere(one.text))
      } catch {
        one.end(undefined)
      }
    }
  }

  function start(): Worker {
    mayStart = false
    const worker = new Worker(threadUrl)
    worker.unref()
    worker.once('message', () => {
      isReady = true
      worker.on('message', answer)
    })
    worker.once('error', onError)
    worker.once('exit', () => {
      isReady = false
      waiting = 0
      answerHere(batches.splice(0).flatMap(({ texts }) => texts))
    })
    return worker
  }

  function answer(signatures: string): void {
    const { texts, count } = batches.shift() ?? { texts: [], count: 0 }
    waiting -= count
    for (const [index, one] of texts.entries()) {
      one.end(signatures.slice(index * signatureLength, (index + 1) * signatureLength))
    }
  }

  const isOpen = ({ texts }: Batch) => texts.length > 0

  function watch(): void {
    const oldest = batches.find(isOpen)
    // After what has arrived meanwhile was read: the event loop may be late, and not the thread.
    const look = () => setImmediate(takeLate)
    watching = oldest && setTimeout(look, Math.max(0, oldest.sentAtMs + patienceMs - performance.now())).unref()
  }

  /** One batch at a time, so that the event loop is not held up either. */
  function takeLate(): void {
    const oldest = batches.find(isOpen)
    if (oldest && performance.now() - oldest.sentAtMs >= patienceMs) answerHere(oldest.texts.splice(0))
    watch()
  }

  /** Then nothing more goes to the thread until it has caught up. */
  function isLate(): boolean {
    const [oldest] = batches
    return oldest !== undefined && !isOpen(oldest)
  }

  /** False when there is no key. */
  function post(batch: Asked[]): boolean {
    const key = findKey()
    if (!key) return false
    let end = 0
    const ends = batch.map(({ text }) => (end += text.length))
    const texts = Buffer.allocUnsafeSlow(end)
    for (const [index, { text }] of batch.entries()) texts.set(text, (ends[index] ?? 0) - text.length)
    // Handed over: a copy would cost five times as much.
    thread?.postMessage({ texts, ends, ...(key !== sentKey && { key }) } satisfies SigningBatch, [texts.buffer])
    sentKey = key
    batches.push({ texts: batch, count: batch.length, sentAtMs: performance.now() })
    waiting += batch.length
    if (!watching) watch()
    return true
  }

  function findKey(): KeyObject | undefined {
    try {
      return getKey()
    } catch {
      return undefined
    }
  }

  function signAsked(): void {
    if (isReady && asked.length < textsPerBatch && ++turns < gatheringTurns) {
      setImmediate(signAsked)
      return
    }
    turns = 0
    const batch = asked
    asked = []
    const bytes = batch.reduce((sum, { text }) => sum + text.length, 0)
    const isWorthIt = batch.length >= batchFromTexts || bytes >= batchFromBytes
    if (isWorthIt && mayStart) thread = start()
    let posted = 0
    const mayPost = isWorthIt && isReady && !isLate()
    while (mayPost && posted < batch.length && waiting < mostWaiting) {
      if (!post(batch.slice(posted, posted + textsPerBatch))) break
      posted += textsPerBatch
    }
    answerHere(batch.slice(posted))
  }

  return {
    sign: signHere,
    signAhead(text) {
      const one = new Asked(text)
      if (asked.push(one) === 1) setImmediate(signAsked)
      return one
    },
    async close() {
      mayStart = false
      // It stays what it is, so that no other one is begun.
      clearTimeout(watching)
      await thread?.terminate()
    },
  }
}
