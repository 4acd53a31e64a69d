/**
 * The errors of all modules, by code. `http/errors/problem.ts` and `identity/oauth-error.ts` turn codes into answers.
 * Answers contain `message`; `cause` goes to the log only.
 */
export type ApiErrorCode =
  | 'invalid_request'
  | 'invalid_body'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'sensor_mismatch'
  | 'loopback_only'
  | 'not_found'
  | 'device_not_found'
  | 'pairing_not_found'
  | 'delivery_not_found'
  | 'track_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'pairing_pending_elsewhere'
  | 'pairing_not_allowed'
  | 'relay_not_active'
  | 'relay_not_validated'
  | 'delivery_not_resendable'
  | 'body_too_large'
  | 'headers_too_large'
  | 'unsupported_media_type'
  | 'transfer_encoding_not_supported'
  | 'http_version_not_supported'
  | 'too_many_requests'
  | 'unavailable'

export interface FieldError {
  /** JSON Pointer (RFC 6901) into the request's body, or `/query/name`, `/path/name`, `/headers/name`. */
  pointer: string
  code: string
  detail: string
}

export interface ApiErrorOptions extends ErrorOptions {
  errors?: FieldError[]
  headers?: Record<string, string>
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly errors: FieldError[]
  readonly headers: Record<string, string>

  constructor(code: ApiErrorCode, message: string, { errors = [], headers = {}, ...options }: ApiErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.errors = errors
    this.headers = headers
  }
}

/** A setting or seed entry that cannot be used; the command line prints the message and exits with 2. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
