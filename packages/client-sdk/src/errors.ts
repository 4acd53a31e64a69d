/**
 * What can go wrong, in three kinds: signing in, staying signed in, calling.
 * The class is for `instanceof`, the code for `switch`, the message for a person.
 */
import type { OAuthError, Problem } from '@posrep/spec'

class SdkError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type LoginErrorCode =
  | 'access_denied'
  | 'authorization_refused'
  | 'client_rejected'
  | 'code_missing'
  | 'code_rejected'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'temporarily_unavailable'
  | 'unexpected_answer'

export class LoginError extends SdkError<LoginErrorCode> {
  override readonly name = 'LoginError'
  /** What the service called it, if it was the service that refused. */
  readonly oauthError: OAuthError['error'] | undefined

  constructor(
    code: LoginErrorCode,
    message: string,
    options: ErrorOptions & { oauthError?: OAuthError['error'] } = {},
  ) {
    super(code, message, options)
    this.oauthError = options.oauthError
  }
}

export type SessionErrorCode = 'client_rejected' | 'login_required' | 'temporarily_unavailable' | 'unexpected_answer'

export class SessionError extends SdkError<SessionErrorCode> {
  override readonly name = 'SessionError'
}

export type ApiErrorCode =
  | 'conflict'
  | 'foreign_origin'
  | 'forbidden'
  | 'invalid_request'
  | 'not_found'
  | 'too_many_requests'
  | 'unauthorized'
  | 'unavailable'
  | 'unexpected_answer'
  | 'unreachable'

export class ApiError extends SdkError<ApiErrorCode> {
  override readonly name = 'ApiError'
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined
  /** What the service says, with `errors` for every wrong place; undefined when it said nothing that is a problem. */
  readonly problem: Problem | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    { status, problem, ...options }: ErrorOptions & { status?: number; problem?: Problem | undefined } = {},
  ) {
    super(code, message, options)
    this.status = status
    this.problem = problem
  }
}
