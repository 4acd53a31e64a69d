/**
 * The reasons why a message is not accepted.
 * In: a code, a message that the sender may read, what is wrong in the body. Out: an error that problem.ts turns into a
 * response.
 */
import type { ProblemError } from '@posrep/spec'

export type ReceiverErrorCode =
  | 'body_already_read'
  | 'body_incomplete'
  | 'body_too_large'
  | 'deadline_passed'
  | 'invalid_body'
  | 'invalid_signature'
  | 'keys_unavailable'
  | 'method_not_allowed'
  | 'report_not_taken'
  | 'store_unavailable'
  | 'too_busy'
  | 'unexpected_device'
  | 'unexpected_validation'
  | 'unknown_message'
  | 'unsupported_media_type'

export interface ReceiverErrorOptions extends ErrorOptions {
  errors?: ProblemError[]
}

export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  readonly code: ReceiverErrorCode
  /** What is wrong in the body, each with its JSON Pointer; empty for other errors. */
  readonly errors: ProblemError[]

  constructor(code: ReceiverErrorCode, message: string, { errors = [], ...options }: ReceiverErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.errors = errors
  }
}
