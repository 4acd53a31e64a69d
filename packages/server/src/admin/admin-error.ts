/** Why an administrative command cannot be done. The message says what was seen and what to do; it ends with exit 1. */
export type AdminErrorCode = 'not_found' | 'taken' | 'conflict'

export class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly code: AdminErrorCode

  constructor(code: AdminErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
