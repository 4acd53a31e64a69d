/**
 * POSTs to a relay, one after the other, without the streams that a client usually wraps around an answer.
 * In: what to send, over which connection, and what ends it. Out: of the last answer the status, the first bytes and what
 * `Retry-After` says; rejects with `LateAnswer`, `GivenUp`, `Fault`, or what became of the connection, which then is good for
 * nothing more.
 *
 * What is next is dispatched while undici still handles the answer, so that it need not look anew, a turn later, whether the
 * connection has stayed silent (and has `pipelining: 2`, or that turn would pass all the same). It is written at the end of
 * the turn; whatever comes before that is no answer to it.
 */
import type { Dispatcher } from 'undici'
import type { GivingUp } from './giving-up.ts'

export interface Post {
  headers: Record<string, string>
  body: string | Buffer
}

export interface ExchangeOptions {
  /** Of each post, for everything from the name to the last byte. */
  deadlineMs: number
  givingUp?: GivingUp | undefined
  /** Called each time a message is under way; it is written within the turn of the event loop. */
  onSent?: (() => void) | undefined
  /**
   * Called with a whole answer: what it returns goes out over the connection that has just become free, and nobody else is
   * given that answer. `undefined` ends the exchange.
   */
  next?: ((answer: RelayAnswer) => Post | undefined) | undefined
  /** Called before what is next is written: may hold that back, and says when it lets it go, and if the connection is open. */
  holdBack?: ((letGo: (isOpen: boolean) => void) => void) | undefined
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

/** What is next could not be said; why is its cause. */
export class Fault extends Error {
  override readonly name = 'Fault'
}

export const maxEchoBytes = 1_024
/** What is read of an answer, so that its connection can be used again; one that sends more is cut off. */
const maxAnswerBytes = 64 * 1024
const nothing = Buffer.alloc(0)

export function exchange(
  connection: Dispatcher,
  path: string,
  post: Post,
  options: ExchangeOptions,
): Promise<RelayAnswer> {
  return new Promise((resolve, reject) => {
    if (options.givingUp?.isGivenUp) return reject(new GivenUp('Given up before it was sent'))
    new Exchange(connection, path, options, resolve, reject).send(post)
  })
}

/** A class: made of functions it would be a dozen objects. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Dispatcher
  readonly #path: string
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
  /** What is next, as long as it is held back. */
  #unsent: Post | undefined
  #hasEnded = false

  constructor(
    connection: Dispatcher,
    path: string,
    options: ExchangeOptions,
    resolve: (answer: RelayAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#connection = connection
    this.#path = path
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    // Idle timers alone would let an answer drip for ever.
    this.#timer = setTimeout(Exchange.#beLate, options.deadlineMs, this)
    if (options.givingUp) options.givingUp.onGivenUp = () => this.#cutOff(new GivenUp('Given up on its way'))
  }

  send({ headers, body }: Post): void {
    this.#connection.dispatch({ path: this.#path, headers, body, method: 'POST' }, this)
  }

  onRequestStart(begun: Dispatcher.DispatchController): void {
    this.#controller = begun
    if (this.#failure) begun.abort(this.#failure)
    // It is written before this turn of the event loop ends.
    else if (this.#options.onSent) queueMicrotask(this.#options.onSent)
  }

  onResponseStarted(): void {
    // What came too much behind the answer before would pass for the answer to a message that nobody has got.
    if (this.#unsent) this.#controller?.abort(new Error('The relay answered a message that it had not been sent yet'))
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
    this.#finish(this.#answer())
    begun.abort(new Error(`The relay answered with more than ${maxAnswerBytes} bytes`))
  }

  onResponseEnd(): void {
    if (this.#hasEnded) return
    const answer = this.#answer()
    try {
      const next = this.#options.next?.(answer)
      if (next) this.#goOn(next)
      else this.#finish(answer)
    } catch (cause) {
      // undici would take it for a failure of the connection.
      this.#fail(new Fault('What is next could not be sent', { cause }))
    }
  }

  #goOn(next: Post): void {
    this.#controller = undefined
    this.#length = 0
    this.#start = nothing
    this.#timer.refresh()
    if (this.#options.holdBack) {
      this.#unsent = next
      this.#options.holdBack(this.#letGo)
    }
    this.send(next)
  }

  readonly #letGo = (isOpen: boolean) => {
    // Where it was not even begun, undici does so on the connection that it makes now.
    if (isOpen || !this.#controller) this.#unsent = undefined
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const unsent = this.#failure || this.#hasEnded ? undefined : this.#unsent
    if (!unsent) {
      this.#fail(error)
      return
    }
    // The connection ended with the answer before: this message goes over another one, and has not failed.
    this.#unsent = undefined
    this.#controller = undefined
    this.send(unsent)
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

  #answer(): RelayAnswer {
    return { status: this.#status, body: this.#start.subarray(0, maxEchoBytes + 1), retryAfter: this.#retryAfter }
  }

  #finish(answer: RelayAnswer): void {
    this.#end()
    this.#resolve(answer)
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
