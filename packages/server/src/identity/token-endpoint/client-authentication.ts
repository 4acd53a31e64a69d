/**
 * Finds the client that calls the token endpoint (RFC 6749 §2.3): by its secret, in the form or with HTTP Basic, or by
 * its ID alone if it has no secret.
 * In: the form and the Authorization header. Out: the client, and how it authenticated.
 * A header of another scheme is not a client's credential: interceptors of applications add `Bearer` to every request,
 * and proxies add theirs. It is ignored; two credentials of a client are refused.
 */
import type { Client, Directory } from '../../ports/storage/directory.ts'
import { hashSecret, isSameSecret } from '../../secrets.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Form } from './form.ts'

export interface Caller {
  client: Client
  /**
   * `secret`: sent a right secret. `public`: has no secret.
   * `name-only`: has a secret and did not send it; this suffices only for the refresh of a paired device.
   */
  proof: 'secret' | 'public' | 'name-only'
  /** The error to throw when the proof does not suffice. */
  refusal(): OAuthError
}

interface Credentials {
  clientId: string
  /** The possible readings of the sent secret; empty if none was sent. */
  secrets: string[]
  isBasic: boolean
  /** Whether there is an Authorization header: then a refusal has a challenge (RFC 6749 §5.2). */
  hasHeader: boolean
}

/** @throws OAuthError `invalid_client` for an unknown or disabled client or a wrong secret. */
export async function authenticateClient(
  form: Form,
  authorization: string | undefined,
  directory: Directory,
  onRefusal: (clientId: string) => void,
): Promise<Caller> {
  const credentials = readCredentials(form, authorization)
  const refusal = () => {
    onRefusal(credentials.clientId)
    return toRefusal(credentials)
  }
  const client = await directory.find('client', credentials.clientId)
  if (!client || client.disabled) throw refusal()
  if (credentials.secrets.length > 0) {
    if (!isOneOf(credentials.secrets, client.secretHashes)) throw refusal()
    return { client, proof: 'secret', refusal }
  }
  if (credentials.isBasic && client.secretHashes.length > 0) throw refusal()
  return { client, proof: client.secretHashes.length === 0 ? 'public' : 'name-only', refusal }
}

/** @throws OAuthError `invalid_client` when a client that has a secret did not send it. */
export function checkProof({ proof, refusal }: Caller): void {
  if (proof === 'name-only') throw refusal()
}

function readCredentials(form: Form, authorization: string | undefined): Credentials {
  const clientId = form.find('client_id')
  const secret = form.find('client_secret')
  const hasHeader = authorization !== undefined
  const basic =
    authorization !== undefined && /^Basic(?: |$)/i.test(authorization) ? readBasic(authorization) : undefined
  if (!basic) {
    if (clientId === undefined) throw toRefusal({ hasHeader })
    return { clientId, secrets: secret === undefined ? [] : [secret], isBasic: false, hasHeader }
  }
  if (secret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the client secret in the form or with HTTP Basic, not both')
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw new OAuthError('invalid_request', '"client_id" is not the client that HTTP Basic names')
  }
  return { ...basic, isBasic: true, hasHeader }
}

/** RFC 6749 §2.3.1 form-encodes both halves; curl and others do not, so both readings are tried. */
function readBasic(authorization: string): Pick<Credentials, 'clientId' | 'secrets'> {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  const pair = bytes.toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) throw toRefusal({ hasHeader: true })
  const secret = pair.slice(colon + 1)
  // Libraries from before RFC 7617 write ISO 8859-1.
  const latin = bytes.subarray(bytes.indexOf(':') + 1).toString('latin1')
  return {
    clientId: fromFormEncoding(pair.slice(0, colon)),
    secrets: secret === '' ? [] : [...new Set([fromFormEncoding(secret), secret, latin])],
  }
}

function fromFormEncoding(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // The secret is not form-encoded: it contains a literal percent sign.
    return text
  }
}

/** False for a public client, which has no secret; the secrets are hashed nevertheless. */
function isOneOf(secrets: string[], secretHashes: string[]): boolean {
  const given = secrets.map(hashSecret)
  return given.flatMap((hash) => secretHashes.map((known) => isSameSecret(hash, known))).includes(true)
}

function toRefusal({ hasHeader }: Pick<Credentials, 'hasHeader'>): OAuthError {
  return new OAuthError('invalid_client', 'The client could not be authenticated', {
    headers: hasHeader ? { 'WWW-Authenticate': 'Basic realm="posrep", charset="UTF-8"' } : {},
  })
}
