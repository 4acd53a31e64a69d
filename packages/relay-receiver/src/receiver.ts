/**
 * Receives relay messages.
 * In: a request to the relay address. Out: the validation code, or 204 after the owner's function has accepted the report.
 * See the document, webhooks `validate` and `positionReport`.
 */
import type { PositionReport } from '@posrep/spec'
import { withDeadline } from './deadline.ts'
import { ReceiverError } from './errors.ts'
import { createOnce } from './once.ts'
import { createOrder } from './order.ts'
import { type Clock, printToConsole, systemClock } from './ports.ts'
import { toProblemResponse } from './problem.ts'
import { checkRequest } from './request/check-request.ts'
import { type Delivery, readAttempt } from './request/delivery.ts'
import { parseMessage } from './request/parse-message.ts'
import { readBody } from './request/read-body.ts'
import { createPinning, type PinningOptions } from './trust/pinning.ts'
import type { SignedMessage } from './trust/verify-signatures.ts'

export interface ReceiverOptions extends PinningOptions {
  /** Receives one report as it was submitted, including unknown members. The message is delivered when this returns or resolves;
   * when it throws or rejects, the service sends the message again. */
  onReport: (report: PositionReport, delivery: Delivery) => void | Promise<void>
  /** Receives the error that makes the service send a message again; the response does not contain it. Default: prints to the console. */
  onError?: (cause: unknown) => void
  /** Authenticates the sender, see verifySignatures. Default: no check, so anyone who knows the address can send reports. */
  verify?: (message: SignedMessage) => Promise<void>
  /** Largest body, in bytes. Default 2 MiB; the service accepts reports of up to 1 MiB. */
  maxBodyBytes?: number
  /** Longest time until the response, in ms. Default 9_000; the service waits 10 s. It does not stop `onReport`. */
  deadlineMs?: number
  /** How many `webhook-id`s to remember, in memory, so that `onReport` gets a repeated message once. 0 for none. Default 10_000. */
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
  ...pinning
}: ReceiverOptions): Receiver {
  checkWholeNumbers({ maxBodyBytes, deadlineMs }, 1)
  checkWholeNumbers({ rememberIds }, 0)
  const once = createOnce(rememberIds)
  const order = createOrder(1_000)
  const checkDevice = createPinning(pinning)

  return async (request) => {
    try {
      return await withDeadline({ clock, deadlineMs }, (signal) => answer(request, signal))
    } catch (error) {
      const response = toProblemResponse(error)
      if (response.status >= 500 && !isFromOnReport(error)) reportError(error)
      return response
    }
  }

  async function answer(request: Request, signal: AbortSignal): Promise<Response> {
    checkRequest(request)
    const body = await readBody(request, { maxBytes: maxBodyBytes, signal })
    const attempt = readAttempt(request.headers)
    await verify?.(toSignedMessage(request.headers, body))
    checkDevice(attempt.device)
    const message = parseMessage(body)
    switch (message.name) {
      case 'validate':
        return answerValidation(message.validationCode)
      case 'position_report':
        await once(attempt.id, () => accept(message.positionReport, { ...attempt, verified: verify !== undefined }))
        return new Response(null, { status: 204 })
    }
  }

  async function accept(report: PositionReport, delivery: Omit<Delivery, 'outOfOrder'>): Promise<void> {
    try {
      await onReport(report, { ...delivery, outOfOrder: order.isOutOfOrder(delivery.device, report) })
    } catch (cause) {
      reportError(cause)
      throw new ReceiverError('report_not_taken', 'The report could not be accepted now; send it again', { cause })
    }
    order.record(delivery.device, report)
  }

  function reportError(cause: unknown): void {
    try {
      onError(cause)
    } catch {
      // The response to the service must not depend on the owner's logging.
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

/** accept() has already reported this error, once for all repetitions that waited for it. */
function isFromOnReport(error: unknown): boolean {
  return error instanceof ReceiverError && error.code === 'report_not_taken'
}

function checkWholeNumbers(options: Record<string, number>, least: number): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= least) continue
    throw new RangeError(`"${name}" must be a whole number of at least ${least}, got ${value}`)
  }
}
