/** The reason why an administrative command fails, with exit 1. The message says what was found and what to do. */
export type AdminErrorCode = 'not_found' | 'taken' | 'conflict' | 'declined' | 'refused'

export class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly code: AdminErrorCode

  constructor(code: AdminErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
