/**
 * Who calls the token endpoint (RFC 6749 §2.3): by secret, in the form or with HTTP Basic; or, having none, by name.
 * In: the form and the Authorization header. Out: the client, and how far it has proven itself.
 */
import type { Client, Directory } from '../../ports/directory.ts'
import { hashSecret, isSameSecret } from '../../web/secrets.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Form } from './form.ts'

export interface Caller {
  client: Client
  /**
   * `secret`: proven. `public`: has no secret to prove itself by.
   * `name-only`: has one and did not send it, which is enough for nothing but a paired device's refresh.
   */
  proof: 'secret' | 'public' | 'name-only'
  /** What to answer when the proof is not enough. */
  refusal(): OAuthError
}

interface Credentials {
  clientId: string
  /** The ways in which the secret may be meant; none was sent when empty. */
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

/** RFC 6749 §2.3.1 form-encodes both halves; curl and others do not, so a secret may be meant either way. */
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
    // Not encoded, then: a percent sign that stands for itself.
    return text
  }
}

/** A public client has no secret, so none is right; hashing happens all the same. */
function isOneOf(secrets: string[], secretHashes: string[]): boolean {
  const given = secrets.map(hashSecret)
  return given.flatMap((hash) => secretHashes.map((known) => isSameSecret(hash, known))).includes(true)
}

function toRefusal({ isBasic }: Pick<Credentials, 'isBasic'>): OAuthError {
  return new OAuthError('invalid_client', 'The client could not be authenticated', {
    headers: isBasic ? { 'WWW-Authenticate': 'Basic realm="posrep", charset="UTF-8"' } : {},
  })
}
