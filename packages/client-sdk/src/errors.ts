/**
 * The errors of this package: for the sign-in, the session and API calls.
 * Use the class or `code` in programs; the message is for people.
 */
import type { OAuthError, Problem } from '@posrep/spec'

export type PosrepErrorCode = LoginErrorCode | SessionErrorCode | ApiErrorCode

/** What is known of the response. */
export interface ErrorDetails extends ErrorOptions {
  status?: number | undefined
  problem?: Problem | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
}

/** Every failure of this package, except wrong options (TypeError, RangeError) and the reason of your own `signal`. */
export abstract class PosrepError<
  Code extends PosrepErrorCode = PosrepErrorCode,
  Details extends ErrorDetails = ErrorDetails,
> extends Error {
  /** What failed, for programs. */
  readonly code!: Code
  /** HTTP status; undefined when there was no response. */
  readonly status!: number | undefined
  /** The problem document of the response; its `errors` have JSON Pointers. Undefined when the response had none. */
  readonly problem!: Problem | undefined
  /** The service's `X-Request-Id`, by which its log names the request. Undefined when the response had none. */
  readonly requestId!: string | undefined
  /** From `Retry-After`, in ms. Undefined when the response had none. */
  readonly retryAfterMs!: number | undefined

  constructor(code: Code, message: string, details?: Details) {
    super(message, details)
    const { cause: _, ...known } = details ?? {}
    Object.assign(this, known, { code })
  }
}

export type LoginErrorCode =
  | 'access_denied'
  | 'authorization_refused'
  | 'client_rejected'
  | 'code_missing'
  | 'code_repeated'
  | 'code_rejected'
  | 'insecure_origin'
  | 'issuer_mismatch'
  | 'not_a_browser'
  | 'popup_closed'
  | 'popup_timeout'
  | 'sign_in_left'
  | 'state_mismatch'
  | 'storage_unavailable'
  | 'temporarily_unavailable'
  | 'unexpected_answer'
  | 'wrong_origin'

export interface LoginErrorDetails extends ErrorDetails {
  oauthError?: OAuthError['error'] | undefined
}

/** The sign-in failed. */
export class LoginError extends PosrepError<LoginErrorCode, LoginErrorDetails> {
  override readonly name = 'LoginError'
  /** The OAuth error code, if the service refused. */
  declare readonly oauthError: OAuthError['error'] | undefined
}

export type SessionErrorCode =
  | 'client_rejected'
  | 'login_required'
  | 'storage_unavailable'
  | 'temporarily_unavailable'
  | 'unexpected_answer'
  | 'user_changed'

/** The session has ended, or it could not be read or refreshed. */
export class SessionError extends PosrepError<SessionErrorCode> {
  override readonly name = 'SessionError'
}

export type ApiErrorCode =
  | 'conflict'
  | 'delivery_not_resendable'
  | 'forbidden'
  | 'foreign_origin'
  | 'invalid_request'
  | 'not_found'
  | 'pairing_not_allowed'
  | 'pairing_pending_elsewhere'
  | 'relay_not_active'
  | 'relay_not_validated'
  | 'stream_not_replayable'
  | 'timeout'
  | 'too_many_requests'
  | 'unauthorized'
  | 'unavailable'
  | 'unexpected_answer'
  | 'unreachable'

/** A call failed. */
export class ApiError extends PosrepError<ApiErrorCode> {
  override readonly name = 'ApiError'
}
