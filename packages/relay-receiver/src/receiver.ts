/**
 * Receives relay messages.
 * In: a request to the relay address. Out: the validation code, or 204 after the owner's function has accepted the
 * report. See the document, webhooks `validate` and `positionReport`.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import type { PositionReport } from '@posrep/spec'
import { ReceiverError } from './errors.ts'
import { type ReceiverOptions, resolveOptions } from './options.ts'
import { toProblem, toProblemResponse } from './problem.ts'
import type { Answered } from './request/answered.ts'
import { checkContent, checkMethod } from './request/check-request.ts'
import { type Attempt, readAttempt } from './request/delivery.ts'
import { parseMessage } from './request/parse-message.ts'
import { readBody } from './request/read-body.ts'
import { readHeader } from './request/read-header.ts'
import { answerValidation } from './request/validation-answer.ts'
import { createExpectedValidations } from './trust/expected-validations.ts'
import { createPinning } from './trust/pinning.ts'
import { createVerifier, type SignatureHeaders } from './trust/verify-signatures.ts'
import { createBodyMemory } from './work/body-memory.ts'
import { createOnce } from './work/once.ts'
import { createOrder } from './work/order.ts'
import { createSlots } from './work/slots.ts'

export interface RelayReceiver {
  /**
   * Answers a request; it never rejects. Also for runtimes whose servers call `fetch`, such as Workers, Deno and Bun.
   */
  fetch(this: void, request: Request): Promise<Response>
  /**
   * Lets validation messages be answered for `withinMs`, if the option `validations` is `expected`. Call it when you
   * set the relay of a device to Active.
   */
  expectValidation(this: void, options: { withinMs: number }): void
}

/**
 * @throws RangeError or TypeError for a wrong option.
 *
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver'
 *
 * // For Hono, Workers, Deno, Bun and Next.js.
 * export default relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: ({ positions }) => console.log(positions),
 * })
 * ```
 */
export function relayReceiver(given: ReceiverOptions): RelayReceiver {
  const options = resolveOptions(given)
  const { onReport, onError, onAnswer, clock, deadlineMs, onReportTimeoutMs, maxBodyBytes: maxBytes } = options
  const verifier =
    options.from === undefined ? undefined : createVerifier({ ...options, from: options.from, onError: reportError })
  const checkDevice = createPinning(options)
  const expectedValidations = createExpectedValidations(clock)
  const shareOfBodyMemory = createBodyMemory(options.maxBufferedBytes)
  const once = createOnce({ store: options.store, slots: createSlots(options.maxConcurrent), clock })
  const order = createOrder({ clock })

  return { fetch: receive, expectValidation: (expected) => expectedValidations.expect(expected) }

  async function receive(request: Request): Promise<Response> {
    const startedAtMs = clock.now()
    const unknown = { code: undefined, name: undefined, id: undefined, device: undefined }
    const answered: Answered = { status: 0, repeated: false, tookMs: 0, ...unknown }
    const response = await answer(request, answered)
    reportAnswer({ ...answered, status: response.status, tookMs: clock.now() - startedAtMs })
    return response
  }

  async function answer(request: Request, answered: Answered): Promise<Response> {
    const onLate = () =>
      new ReceiverError('deadline_passed', `The message was not accepted within ${deadlineMs} ms; send it again`)
    try {
      return await withDeadline({ clock, ms: deadlineMs, onLate }, (signal) => accept(request, { answered, signal }))
    } catch (error) {
      const problem = toProblem(error)
      if (problem.status >= 500 && !isReported(error)) reportError(error)
      answered.code = error instanceof ReceiverError ? error.code : 'internal_error'
      return toProblemResponse(problem)
    }
  }

  async function accept(
    request: Request,
    { answered, signal }: { answered: Answered; signal: AbortSignal },
  ): Promise<Response> {
    const attempt = readAttempt(request.headers)
    Object.assign(answered, { id: attempt.id, device: attempt.device })
    checkMethod(request)
    // What a signature covers needs no headers that say what it is. Without one, browsers of strangers could send
    // anything else.
    if (!verifier) checkContent(request)
    const signature = readSignatureHeaders(request.headers)
    verifier?.checkHeaders(signature)
    const memory = shareOfBodyMemory()
    try {
      const body = await readBody(request, { maxBytes, signal, onBytes: memory.add })
      await verifier?.verify({ ...signature, body })
      checkDevice(attempt.device)
      const message = parseMessage(body)
      answered.name = message.name
      switch (message.name) {
        case 'validate':
          if (options.validations === 'expected') expectedValidations.check()
          return await answerValidation(options.validationAnswer, message.validationCode, attempt)
        case 'position_report': {
          const outcome = await once(attempt.id, () => passOn(message.positionReport, attempt))
          answered.repeated = outcome === 'repeated'
          return new Response(null, { status: 204 })
        }
      }
    } finally {
      memory.release()
    }
  }

  async function passOn(report: PositionReport, attempt: Attempt): Promise<void> {
    const delivery = {
      ...attempt,
      verified: verifier !== undefined,
      outOfOrder: order.isOutOfOrder(attempt.device, report),
    }
    const onLate = () => new Error(`onReport did not settle within ${onReportTimeoutMs} ms`)
    try {
      await withDeadline({ clock, ms: onReportTimeoutMs, onLate }, (signal) =>
        onReport(report, { ...delivery, signal }),
      )
    } catch (cause) {
      reportError(cause)
      throw new ReceiverError('report_not_taken', 'The report could not be accepted now; send it again', { cause })
    }
    order.record(attempt.device, report)
  }

  function reportError(cause: unknown): void {
    try {
      onError(cause)
    } catch {
      // The response to the service must not depend on the owner's logging.
    }
  }

  function reportAnswer(answered: Answered): void {
    try {
      onAnswer(answered)
    } catch (cause) {
      reportError(cause)
    }
  }
}

function readSignatureHeaders(headers: Headers): SignatureHeaders {
  return {
    id: readHeader(headers, 'webhook-id') ?? '',
    timestamp: readHeader(headers, 'webhook-timestamp') ?? '',
    signature: headers.get('webhook-signature') ?? '',
  }
}

/** Reported where it happened: once for all messages that waited for it. */
function isReported(error: unknown): boolean {
  return error instanceof ReceiverError && ['report_not_taken', 'keys_unavailable'].includes(error.code)
}
