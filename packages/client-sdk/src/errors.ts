/**
 * The error classes of this package: for the login, the session and API calls.
 * Use the class or `code` in programs; the message is for people.
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
  | 'code_repeated'
  | 'code_rejected'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'temporarily_unavailable'
  | 'unexpected_answer'

export class LoginError extends SdkError<LoginErrorCode> {
  override readonly name = 'LoginError'
  /** The OAuth error code, if the service refused. */
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
  /** HTTP status; undefined when there was no response. */
  readonly status: number | undefined
  /** The problem document of the response; its `errors` have JSON Pointers. Undefined when the response had none. */
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
