/**
 * What a device token says about its origin, for the refresh of a sensor that knows nothing but its token.
 * In: the token, read and not verified: it came from the service itself. Out: its client, and its issuer if it names one.
 */
import { checkOrigin } from '../check-option.ts'
import { AgentError } from '../errors.ts'

export interface DeviceClaims {
  clientId: string
  /** @throws AgentError `credentials_refused` when the token names no usable issuer. */
  issuer(): URL
}

/** @throws AgentError `credentials_refused` when the token is not a JWT with a `client_id`. */
export function readClaims(token: string): DeviceClaims {
  const { client_id: clientId, iss } = decode(token)
  if (typeof clientId !== 'string') {
    throw new AgentError('credentials_refused', 'The device token has no "client_id" claim; it cannot be refreshed')
  }
  return {
    clientId,
    issuer() {
      try {
        const url = new URL(String(iss))
        checkOrigin('iss', url)
        return url
      } catch (cause) {
        const message = 'The device token names no usable issuer; set "authOrigin" to the identity provider'
        throw new AgentError('credentials_refused', message, { cause })
      }
    },
  }
}

function decode(token: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    // Members of anything but an object read as undefined.
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {}
  } catch {
    // Not a JWT; the caller says what is missing, without showing the token.
    return {}
  }
}
