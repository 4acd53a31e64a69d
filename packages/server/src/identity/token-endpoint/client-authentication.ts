/**
 * Finds the client that calls the token endpoint (RFC 6749 §2.3): by its secret, in the form or with HTTP Basic, or by its
 * ID alone if it has no secret.
 * In: the form and the Authorization header. Out: the client, and how it authenticated.
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
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  if (!basic) {
    if (clientId === undefined) throw toRefusal({ isBasic: false })
    return { clientId, secrets: secret === undefined ? [] : [secret], isBasic: false }
  }
  if (secret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the client secret in the form or with HTTP Basic, not both')
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw new OAuthError('invalid_request', '"client_id" is not the client that HTTP Basic names')
  }
  return { ...basic, isBasic: true }
}

/** RFC 6749 §2.3.1 form-encodes both halves; curl and others do not, so both readings are tried. */
function readBasic(authorization: string): Pick<Credentials, 'clientId' | 'secrets'> {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? []
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) throw toRefusal({ isBasic: true })
  const secret = pair.slice(colon + 1)
  return {
    clientId: fromFormEncoding(pair.slice(0, colon)),
    secrets: secret === '' ? [] : [fromFormEncoding(secret), secret],
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

function toRefusal({ isBasic }: Pick<Credentials, 'isBasic'>): OAuthError {
  return new OAuthError('invalid_client', 'The client could not be authenticated', {
    headers: isBasic ? { 'WWW-Authenticate': 'Basic realm="posrep", charset="UTF-8"' } : {},
  })
}
