/**
 * Why a message was not taken.
 * In: a code, a sentence that may leave the house, the places that are wrong. Out: an error that problem.ts turns into an answer.
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
  | 'unknown_message'
  | 'unsupported_media_type'

export interface ReceiverErrorOptions extends ErrorOptions {
  places?: ProblemError[]
}

export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  readonly code: ReceiverErrorCode
  /** Every place of the body that is wrong, if places can be named. */
  readonly places: ProblemError[]

  constructor(code: ReceiverErrorCode, message: string, { places = [], ...options }: ReceiverErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.places = places
  }
}
