/**
 * Reads the claims of a device token that its refresh needs.
 * In: the token; it came from the service itself, so it is not verified. Out: its client, and its issuer if it names
 * one.
 */
import { checkOrigin } from '../check-option.ts'
import { AgentError } from '../errors.ts'

export interface DeviceClaims {
  clientId: string
  /** @throws AgentError `credentials_refused` when the token has no usable issuer. */
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
        const message = 'The device token has no usable issuer; set "authOrigin" to the identity provider'
        throw new AgentError('credentials_refused', message, { cause })
      }
    },
  }
}

function decode(token: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    // Every member may be missing, so the values are unknown.
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {}
  } catch {
    // Not a JWT. The caller reports the missing claim; the token must not appear in a message.
    return {}
  }
}
