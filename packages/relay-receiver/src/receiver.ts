/**
 * Receives relay messages.
 * In: a request to the relay address. Out: the validation code, or 204 once the owner's function has the report.
 * See the document, webhooks `validate` and `positionReport`.
 */
import type { PositionReport } from '@posrep/spec'
import { checkRequest } from './check-request.ts'
import { withDeadline } from './deadline.ts'
import { type Delivery, readAttempt } from './delivery.ts'
import { ReceiverError } from './errors.ts'
import { createOnce } from './once.ts'
import { createOrder } from './order.ts'
import { parseMessage } from './parse-message.ts'
import { type Clock, printToConsole, systemClock } from './ports.ts'
import { toProblemResponse } from './problem.ts'
import { readBody } from './read-body.ts'
import type { SignedMessage } from './verify-signatures.ts'

export interface ReceiverOptions {
  /** Takes one report, as it was submitted, unknown members included. The message counts as delivered when this returns;
   * when it throws, the service sends the message again. */
  onReport: (report: PositionReport, delivery: Delivery) => void | Promise<void>
  /** Told why the service has to send a message again; the answer does not say it. Default: prints to the console. */
  onError?: (cause: unknown) => void
  /** Checks who sent a message, see verifySignatures. Default: nobody does, and anyone who knows the address may send. */
  verify?: (message: SignedMessage) => Promise<void>
  /** Largest body, in bytes. Default 2 MiB; the service takes reports of 1 MiB. */
  maxBodyBytes?: number
  /** Longest time until the answer, in ms. Default 9_000; the service gives up after 10 s. It does not stop `onReport`. */
  deadlineMs?: number
  /** How many `webhook-id`s to remember, in memory, so that a repetition is not handed on again. 0 for none. Default 10_000. */
  rememberIds?: number
  /** Default: the system clock. */
  clock?: Clock
}

export type Receiver = (request: Request) => Promise<Response>

export function createReceiver({
  onReport,
  onError = printToConsole,
  verify,
  maxBodyBytes = 2 * 1024 * 1024,
  deadlineMs = 9_000,
  rememberIds = 10_000,
  clock = systemClock,
}: ReceiverOptions): Receiver {
  checkWhole({ maxBodyBytes, deadlineMs }, 1)
  checkWhole({ rememberIds }, 0)
  const once = createOnce(rememberIds)
  const order = createOrder(1_000)

  return async (request) => {
    try {
      return await withDeadline({ clock, deadlineMs }, (signal) => answer(request, signal))
    } catch (error) {
      const response = toProblemResponse(error)
      if (response.status >= 500 && !isTold(error)) tell(error)
      return response
    }
  }

  async function answer(request: Request, signal: AbortSignal): Promise<Response> {
    checkRequest(request)
    const body = await readBody(request, { maxBytes: maxBodyBytes, signal })
    const attempt = readAttempt(request.headers)
    await verify?.(toSignedMessage(request.headers, body))
    const message = parseMessage(body)
    switch (message.name) {
      case 'validate':
        return answerValidation(message.validationCode)
      case 'position_report':
        await once(attempt.id, () => take(message.positionReport, { ...attempt, verified: verify !== undefined }))
        return new Response(null, { status: 204 })
    }
  }

  async function take(report: PositionReport, delivery: Omit<Delivery, 'outOfOrder'>): Promise<void> {
    try {
      await onReport(report, { ...delivery, outOfOrder: order.isOutOfOrder(report) })
    } catch (cause) {
      tell(cause)
      throw new ReceiverError('report_not_taken', 'The report could not be taken now; send it again', { cause })
    }
    order.note(report)
  }

  function tell(cause: unknown): void {
    try {
      onError(cause)
    } catch {
      // The service's answer must not depend on the owner's logging.
    }
  }
}

function answerValidation(validationCode: string): Response {
  return new Response(validationCode, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function toSignedMessage(headers: Headers, body: Uint8Array<ArrayBuffer>): SignedMessage {
  return {
    id: headers.get('webhook-id') ?? '',
    timestamp: headers.get('webhook-timestamp') ?? '',
    signature: headers.get('webhook-signature') ?? '',
    body,
  }
}

/** The owner's own error was told when it was thrown, once for all repetitions that waited for it. */
function isTold(error: unknown): boolean {
  return error instanceof ReceiverError && error.code === 'report_not_taken'
}

function checkWhole(options: Record<string, number>, least: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= least) continue
    throw new RangeError(`"${name}" must be a whole number of at least ${least}, got ${value}`)
  }
}
