/** Node's fetch wraps the error of the system. In: its error. Out: the innermost one. */
export function innermostError(error: Error): Error & { code?: unknown } {
  // Of a host with several addresses, each attempt has an error.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? innermostError(inner) : error
}

/** Codes of Node for a certificate whose CA is not trusted. */
export const untrustedCode = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/
