/**
 * One POST to a relay, without the streams that a client usually wraps around an answer.
 * In: what to send, over which connection, and what ends it. Out: the status, the first bytes and what `Retry-After` says;
 * rejects with `LateAnswer`, `GivenUp`, or what became of the connection, which then is good for nothing more.
 */
import type { Dispatcher } from 'undici'
import type { GivingUp } from './giving-up.ts'

export interface Post {
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

export interface ExchangeOptions {
  /** For everything from the name to the last byte. */
  deadlineMs: number
  givingUp?: GivingUp | undefined
  /** Called once when the message has been written. */
  onSent?: (() => void) | undefined
}

export interface RelayAnswer {
  status: number
  /** The start of it: one byte more than `maxEchoBytes` at most, so that too long can be told from just long enough. */
  body: Buffer
  retryAfter: string | undefined
}

export class LateAnswer extends Error {
  override readonly name = 'LateAnswer'
}

export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

export const maxEchoBytes = 1_024
/** What is read of an answer, so that its connection can be used again; one that sends more is cut off. */
const maxAnswerBytes = 64 * 1024
const nothing = Buffer.alloc(0)

export function exchange(
  connection: Dispatcher,
  { path, headers, body }: Post,
  options: ExchangeOptions,
): Promise<RelayAnswer> {
  return new Promise((resolve, reject) => {
    if (options.givingUp?.isGivenUp) return reject(new GivenUp('Given up before it was sent'))
    connection.dispatch({ path, headers, body, method: 'POST' }, new Exchange(options, resolve, reject))
  })
}

/** A class, for there is one per message: made of functions it would be a dozen objects. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions
  readonly #resolve: (answer: RelayAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #failure: Error | undefined
  #status = 0
  #retryAfter: string | undefined
  #length = 0
  #start: Buffer = nothing
  #hasEnded = false

  constructor(options: ExchangeOptions, resolve: (answer: RelayAnswer) => void, reject: (error: unknown) => void) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    // Idle timers alone would let an answer drip for ever.
    this.#timer = setTimeout(Exchange.#beLate, options.deadlineMs, this)
    if (options.givingUp) options.givingUp.onGivenUp = () => this.#cutOff(new GivenUp('Given up on its way'))
  }

  onRequestStart(begun: Dispatcher.DispatchController): void {
    this.#controller = begun
    if (this.#failure) begun.abort(this.#failure)
    // It is written before this turn of the event loop ends.
    else if (this.#options.onSent) queueMicrotask(this.#options.onSent)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Dispatcher.ResponseData['headers']): void {
    const retryAfter = headers['retry-after']
    this.#status = status
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
  }

  onResponseData(begun: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#length <= maxEchoBytes) this.#start = this.#length === 0 ? chunk : Buffer.concat([this.#start, chunk])
    this.#length += chunk.length
    if (this.#length <= maxAnswerBytes) return
    this.onResponseEnd()
    begun.abort(new Error(`The relay answered with more than ${maxAnswerBytes} bytes`))
  }

  onResponseEnd(): void {
    this.#end()
    const body = this.#start.subarray(0, maxEchoBytes + 1)
    this.#resolve({ status: this.#status, body, retryAfter: this.#retryAfter })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  static #beLate(late: Exchange): void {
    late.#cutOff(new LateAnswer(`No answer within ${late.#options.deadlineMs} ms`))
  }

  #cutOff(error: Error): void {
    this.#failure = error
    // Until there is a connection there is nothing to abort; then it is not begun.
    this.#controller?.abort(error)
    this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#end()
    this.#reject(error)
  }

  /** Once: what comes after that is of no concern to the message that follows. */
  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    if (this.#options.givingUp) this.#options.givingUp.onGivenUp = undefined
  }
}
