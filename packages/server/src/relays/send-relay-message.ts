/** Posts relay messages with the headers by which their receiver can verify them (Standard Webhooks, Ed25519). */
import { toTraceHeaders } from '../http/traceparent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Post, RelayAnswer } from './exchange.ts'
import type { GivingUp } from './giving-up.ts'
import type { MessageSigner, Signing } from './message-signer.ts'
import type { PostUrl, RelayConnection } from './relay-connection.ts'

export interface RelayMessage {
  /** The `webhook-id`. */
  id: string
  /** The JSON text that is sent. */
  message: string
  /** Of the request that submitted the report; see `findTrace`. */
  trace?: string | undefined
  /** Made while a message before it was on its way. */
  signed?: SignedAhead | undefined
}

interface Signed {
  body: Buffer
  /** The `webhook-timestamp`, which is signed, too. */
  seconds: number
  /** Base64. */
  signature: string
}

export interface SignedAhead extends Omit<Signed, 'signature'> {
  signing: Signing
}

/** What follows on the same line. */
export interface MessageBehind {
  delivery: RelayMessage
}

export interface FollowingMessages {
  /** What is likely to be sent next: it is signed while this one is on its way, in this order. */
  behind(): readonly MessageBehind[]
  /**
   * Asked with the answer when the first of them could follow at once: true when it may, and then the answer has been dealt
   * with.
   */
  goOn(answer: RelayAnswer): boolean
}

/** The last answer: to this message, or to one behind it that followed at once. @throws RelayFailure */
export type SendRelayMessage = (
  url: PostUrl,
  message: RelayMessage,
  givingUp?: GivingUp,
  following?: FollowingMessages,
) => Promise<RelayAnswer>

export interface SendOptions {
  connection: RelayConnection
  clock: Clock
  /** Under the relay key of the JWKS. */
  signer: Pick<MessageSigner, 'sign' | 'signAhead'>
}

/** A message that was signed longer ago is signed anew, so that its time is the one at which it is sent. */
const signedAheadSeconds = 1
/** In characters. A message may have a million, and there are hundreds of devices. */
const signedAheadLength = 64 * 1024

export function createSendRelayMessage({ connection, clock, signer }: SendOptions): SendRelayMessage {
  const toSeconds = () => Math.floor(clock.now() / 1000)

  /** What is signed, and of that the part which is sent. */
  function toSigned({ id, message }: RelayMessage, seconds: number): { text: Buffer; body: Buffer } {
    // ASCII: as many bytes as characters.
    const before = `${id}.${seconds}.`
    const text = Buffer.from(before + message)
    return { text, body: text.subarray(before.length) }
  }

  function signAhead(message: RelayMessage): void {
    const seconds = toSeconds()
    const { text, body } = toSigned(message, seconds)
    message.signed = { body, seconds, signing: signer.signAhead(text) }
  }

  /** `undefined` for what was not signed ahead, or too long ago. */
  function findSigned({ signed }: RelayMessage): SignedAhead | undefined {
    return signed && toSeconds() - signed.seconds <= signedAheadSeconds ? signed : undefined
  }

  function signNow(message: RelayMessage): Signed {
    const seconds = toSeconds()
    const { text, body } = toSigned(message, seconds)
    return { body, seconds, signature: signer.sign(text) }
  }

  /** The next one in any case. Those behind it once, and no more than a little memory takes. */
  function signAllAhead(behind: readonly MessageBehind[]): void {
    let left = signedAheadLength
    let isNext = true
    for (const { delivery } of behind) {
      left -= delivery.message.length
      if (isNext ? !findSigned(delivery) : left >= 0 && !delivery.signed) signAhead(delivery)
      isNext = false
    }
  }

  function toPost({ id, trace }: RelayMessage, { body, seconds, signature }: Signed): Post {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'posrep-server',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1a,${signature}`,
    }
    if (trace !== undefined) Object.assign(headers, toTraceHeaders(trace))
    return { headers, body }
  }

  /** `undefined` unless its signature is there, so that nothing has to be waited for. */
  function toPostAtOnce(message: RelayMessage): Post | undefined {
    const ahead = findSigned(message)
    const signature = ahead?.signing.signature
    return ahead && signature !== undefined ? toPost(message, { ...ahead, signature }) : undefined
  }

  async function toPostInTime(message: RelayMessage): Promise<Post> {
    const ahead = findSigned(message)
    const signature = await ahead?.signing.made()
    return toPost(message, ahead && signature !== undefined ? { ...ahead, signature } : signNow(message))
  }

  return async (url, message, givingUp, following) => {
    const post = toPostAtOnce(message) ?? (await toPostInTime(message))
    if (!following) return connection.post(url, post, { givingUp })
    return connection.post(url, post, {
      givingUp,
      onSent: () => signAllAhead(following.behind()),
      next(answer) {
        const [first] = following.behind()
        const next = first && toPostAtOnce(first.delivery)
        return next && following.goOn(answer) ? next : undefined
      },
    })
  }
}
